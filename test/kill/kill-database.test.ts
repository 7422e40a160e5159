import { afterAll, test } from 'vitest';
import { startPostgresServer } from '../harness/postgres-server.ts';
import { chooseSeed } from '../harness/random.ts';
import { startService } from '../harness/service.ts';
import { expectNothingLost } from './kill-under-writers.ts';
import { signingSettings } from './signing-settings.ts';
import { pause, repeatUntilAnswered } from './victim.ts';

/* PostgreSQL is killed while the service keeps running. */

const KILLS = 10;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const server = await startPostgresServer();
afterAll(() => server.remove());
const service = await startService({ database: await server.newDatabase(), settings: signingSettings });
afterAll(() => service.stop());

test('rules 9 and 35: 10 SIGKILLs to PostgreSQL under 16 writers lose, duplicate, restore or hide no acknowledged write', async () => {
  let generation = 0;
  const victim = {
    ...repeatUntilAnswered(() => service),
    generation: () => generation,
    current: () => service,
    kill: () => server.kill(),
    restart: async () => {
      await server.start();
      generation++;
    },
  };
  await expectNothingLost(victim, seed, KILLS, async (random, meetWriters) => {
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(200 + random.below(1_000));
      await meetWriters();
      await victim.kill();
      await pause(random.below(500));
      await victim.restart();
    }
  });
}, 600_000);
