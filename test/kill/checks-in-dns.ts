import type { Random } from '../harness/random.ts';
import { setOf, type Target, type Written } from './record-writer.ts';
import type { Victim } from './victim.ts';

/*
 * Compares DNS with the acknowledged writes: immediately after an answer, since the node that answers a write serves
 * it (rule 35), and after every restart.
 */

const CHECKED_AFTER_WRITE = 0.4;
const CHECKED_AFTER_RESTART = 8;

/** Queries the process that took the write. */
export function lookInDns(victim: Victim, faults: string[]): Omit<Target, 'request'> {
  const generations = new WeakMap<Written['touched'], number>();
  return {
    lookAtSet: async ({ saved, touched }, set, random: Random) => {
      const generation = victim.generation();
      const before = generations.get(touched) ?? generation;
      generations.set(touched, generation);
      if (before !== generation) {
        for (let i = 0; i < CHECKED_AFTER_RESTART; i++)
          await checkSet(victim, saved, random.pick([...touched]), 'after a restart', faults);
      }
      if (random.next() < CHECKED_AFTER_WRITE) await checkSet(victim, saved, set, 'after a write', faults);
    },
    lookAtDomain: (domain, exists) => checkDomain(victim, domain, exists, 'after a write', faults),
  };
}

/** Compares one RRset in DNS with the records that must exist. */
export async function checkSet(
  { ask }: Pick<Victim, 'ask'>,
  saved: Written['saved'],
  set: string,
  when: string,
  faults: string[],
): Promise<void> {
  const [domain, name, type] = set.split('|') as [string, string, string];
  const records = [...saved.values()].filter((record) => setOf(record.domain, record.body) === set);
  const expected = records.map(({ served }) => served).sort();
  const ttl = Math.min(...records.map(({ body }) => body.ttl));
  const { seen, ttls } = await ask(async (dns, options) => {
    const seen = await dns.look(`${name}.${domain}`, type, options);
    const { answers } = await dns.ask(`${name}.${domain}`, type, options);
    return { seen, ttls: answers.map((answer) => answer.ttl) };
  });
  const nothing = seen === 'NXDOMAIN' || seen === 'NODATA';
  const right = expected.length === 0 ? nothing : JSON.stringify(seen) === JSON.stringify(expected);
  if (!right)
    faults.push(`${when}: ${set} is ${JSON.stringify(seen)} in DNS, saved is ${JSON.stringify(expected)}`);
  else if (ttls.some((served) => served !== ttl))
    faults.push(`${when}: ${set} has TTL ${ttls.join()} in DNS, saved is ${ttl}`);
}

export async function checkDomain(
  { ask }: Pick<Victim, 'ask'>,
  domain: string,
  exists: boolean,
  when: string,
  faults: string[],
): Promise<void> {
  const seen = await ask((dns, options) => dns.look(domain, 'A', options));
  const expected = exists ? '["192.0.2.1"]' : '"REFUSED"';
  if (JSON.stringify(seen) !== expected)
    faults.push(`${when}: ${domain} is ${JSON.stringify(seen)} in DNS instead of ${expected}`);
}
