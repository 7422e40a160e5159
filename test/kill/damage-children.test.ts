import { afterAll, expect, test } from 'vitest';
import { damageAtRandom } from '../cluster/damage-copy.ts';
import { DnsUnanswered, type DnsClient, type QueryOptions, type Seen } from '../harness/dns-client.ts';
import { findChild } from '../harness/process-family.ts';
import { chooseSeed } from '../harness/random.ts';
import { expectNothingLost } from './kill-under-writers.ts';
import { pause, startVictim, type Victim } from './victim.ts';

/*
 * The nameserver process is killed, and its zone copy is damaged before its parent starts it again (PostgreSQL only: the
 * embedded store has no copies). Its successor may refuse to answer, but it never answers what is not so, and a write that
 * was answered is served. `KILLS=100` does so 100 times.
 */

const KILLS = Number(process.env['KILLS'] ?? 10);
/** A kill takes two seconds; the rest is for a busy machine. */
const KILL_TIMEOUT_MS = 30_000;
/** A copy heals within a second; a name that is refused for longer is not hosted. */
const HEALED_WITHIN_MS = 5_000;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test(
  'rules 9 and 35: zone copies damaged under writers lose, restore or hide no acknowledged write',
  async () => {
    let kills = 0;
    const watched: Victim = {
      ...victim,
      generation: () => kills + victim.generation(),
      ask: (question) => victim.ask((dns, options) => question(patient(dns), options)),
    };
    await expectNothingLost(watched, seed, KILLS, async (random, meetWriters) => {
      while (kills < KILLS) {
        await pause(300 + random.below(1500));
        await meetWriters();
        const { pid, data } = victim.current();
        const killed = findChild(pid, 'nameserver');
        // A stopped parent starts no successor.
        process.kill(pid, 'SIGSTOP');
        if (killed !== undefined) process.kill(killed, 'SIGKILL');
        damageAtRandom(data, random);
        process.kill(pid, 'SIGCONT');
        await expect.poll(() => findChild(pid, 'nameserver') ?? killed).not.toBe(killed);
        kills++;
      }
    });
  },
  300_000 + KILLS * KILL_TIMEOUT_MS,
);

/** Asks again where a damaged copy may refuse to answer. */
function patient(dns: DnsClient): DnsClient {
  const look = async (name: string, type: string | number, options?: QueryOptions): Promise<Seen> => {
    for (const endMs = performance.now() + HEALED_WITHIN_MS; ; await pause(50)) {
      const seen = await dns.look(name, type, options);
      if (seen === 'SERVFAIL') continue;
      if (seen !== 'REFUSED' || performance.now() > endMs) return seen;
    }
  };
  const serial = async (zone: string, options?: QueryOptions): Promise<number> => {
    const { packet } = await dns.ask(zone, 'SOA', options);
    if (packet.answers.length === 0) throw new DnsUnanswered(`${zone} is answered ${packet.rcode}`);
    return await dns.serial(zone, options);
  };
  // The client numbers its queries itself, so each must reach the one client.
  const ask: DnsClient['ask'] = (...question) => dns.ask(...question);
  return Object.assign(Object.create(dns) as DnsClient, { ask, look, serial });
}
