import { afterAll, expect, test } from 'vitest';
import { findChild } from '../harness/process-family.ts';
import { chooseSeed } from '../harness/random.ts';
import { expectNothingLost } from './kill-under-writers.ts';
import { pause, startVictim } from './victim.ts';

/*
 * One of the two processes of the service is killed; its parent starts it again. `KILLS=100` kills the nameserver process
 * 100 times.
 */

/** Kills of the nameserver process; the other one is killed about half as often. */
const KILLS = Number(process.env['KILLS'] ?? 20);
/** A kill takes a second or two; the rest is for a busy machine. */
const KILL_TIMEOUT_MS = 20_000;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test(
  'rules 9 and 35: SIGKILLs of either process lose, duplicate, restore or hide no acknowledged write',
  async () => {
    const kills = { http: 0, nameserver: 0 };
    // Checks compare all records after each kill, as after a restart.
    const watched = { ...victim, generation: () => kills.http + kills.nameserver + victim.generation() };
    await expectNothingLost(watched, seed, KILLS, async (random, meetWriters) => {
      while (kills.nameserver < KILLS) {
        await pause(80 + random.below(700));
        await meetWriters();
        // The nameserver twice as often: only its end leaves committed writes that are not served yet.
        const name = random.pick(['http', 'nameserver', 'nameserver'] as const);
        const killed = findChild(victim.current().pid, name);
        if (killed !== undefined) process.kill(killed, 'SIGKILL');
        await expect.poll(() => findChild(victim.current().pid, name) ?? killed).not.toBe(killed);
        kills[name]++;
      }
    });
    console.log(`kills: nameserver ${kills.nameserver}, http ${kills.http}`);
  },
  300_000 + KILLS * KILL_TIMEOUT_MS,
);
