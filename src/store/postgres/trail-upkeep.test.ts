import { afterEach, beforeEach } from 'vitest';
import { defaultLimits } from '../../model/account-limits.ts';
import { START_MS } from '../suite/store-scene.test-support.ts';
import { trailUpkeepSuite } from '../suite/trail-upkeep-suite.test-support.ts';
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts';
import { newPostgres, openStore } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { runUpkeep } from './postgres-upkeep.ts';
import { writerLimits } from './postgres-writer.ts';

let database: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let connection: PostgresConnection;

beforeEach(async () => {
  database = await newPostgres();
  store = await openStore(database.address, { clock: { nowMs: () => START_MS } });
  connection = await connectPostgres(database.address, writerLimits);
});

afterEach(async () => {
  await connection.close();
  await store.close();
  await database.remove();
});

trailUpkeepSuite(() => ({
  note: (entries) => store.write({ kind: 'noteTrail', entries }),
  tidy: async (trailStartMs, trailOctets) => {
    const plan = { times: { nowMs: START_MS, historyStartMs: 0, trailStartMs }, trustedMs: null };
    const limits = { ...defaultLimits, trailOctets };
    await runUpkeep(
      database.address,
      () => plan,
      () => false,
      undefined,
      limits,
    );
  },
  query: async (sql) => (await connection.query<unknown[]>(sql)).rows,
}));
