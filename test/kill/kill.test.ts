import { afterAll, test } from 'vitest';
import { chooseSeed } from '../harness/random.ts';
import { expectNothingLost } from './kill-under-writers.ts';
import { pause, startVictim } from './victim.ts';

/* The service itself is killed, on either engine. */

const KILLS = 20;
const KILLS_WHILE_STARTING = 4;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test('rules 9 and 35: 24 SIGKILLs under 16 writers lose, duplicate, restore or hide no acknowledged write', async () => {
  await expectNothingLost(victim, seed, KILLS, async (random, meetWriters) => {
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(80 + random.below(700));
      await meetWriters();
      await victim.kill();
      if (kill % (KILLS / KILLS_WHILE_STARTING) === 2) await victim.killWhileStarting(30 + random.below(400));
      await victim.restart();
    }
  });
}, 600_000);
