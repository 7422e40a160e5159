import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { importZone } from '../suite/change-scene.test-support.ts';
import { manyRecords } from '../suite/large-write-suite.test-support.ts';
import { newRecord, StoreScene } from '../suite/store-scene.test-support.ts';
import { MAX_REST_MS } from '../writer-rest.ts';
import { DATABASE_CLOCK } from './database-state.ts';
import { LARGE_LOCK, restBeforeLock, takeLargeTurn } from './large-turns.ts';
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { writerLimits } from './postgres-writer.ts';

let database: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let [here, there]: PostgresConnection[] = [];

beforeAll(async () => {
  database = await newPostgres();
  store = await openStore(database.address);
  [here, there] = await Promise.all([
    connectPostgres(database.address, writerLimits),
    connectPostgres(database.address, writerLimits),
  ]);
});

beforeEach(() => here.query('UPDATE counters SET rest_seq = 0, rest_until = 0'));

afterAll(async () => {
  here.destroy();
  there.destroy();
  await store.close();
  await database.remove();
});

async function inTransaction<T>(connection: PostgresConnection, work: () => Promise<T>): Promise<T> {
  await connection.query('BEGIN');
  try {
    return await work();
  } finally {
    await connection.query('ROLLBACK');
  }
}

/** Sets the end of the rest after a large write that ended at `seq`. */
const restUntil = (seq: string, aheadMs: number) =>
  here.query(`UPDATE counters SET rest_seq = ${seq}, rest_until = ${DATABASE_CLOCK} + ${aheadMs}`);

test('a large write waits while that of another process has the turn, and gives up at last', async () => {
  await inTransaction(here, async () => {
    expect(await takeLargeTurn(here)).toBe(true);
    expect(await inTransaction(there, () => takeLargeTurn(there, 0))).toBe(false);
  });
  expect(await inTransaction(there, () => takeLargeTurn(there, 0))).toBe(true);
});

test('a large write waits for the end of the rest if others have written since the last one', async () => {
  await restUntil('last_seq - 1', 400);
  await inTransaction(here, () => restBeforeLock(here));
  const { rows } = await here.query<[boolean]>(`SELECT rest_until <= ${DATABASE_CLOCK} FROM counters`);
  expect(rows).toEqual([[true]]);
});

test.each([
  ['nobody has written since the last one', 'last_seq', MAX_REST_MS],
  ['the clock of the database has been set back', 'last_seq - 1', MAX_REST_MS + 60_000],
])('a large write does not wait if %s', async (_, seq, aheadMs) => {
  await restUntil(seq, aheadMs);
  await inTransaction(here, () => restBeforeLock(here));
  const { rows } = await here.query<[boolean]>(`SELECT rest_until > ${DATABASE_CLOCK} FROM counters`);
  expect(rows).toEqual([[true]]);
});

test('a large write notes how long others have the feed, and leaves the turn to the next', async () => {
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  const { name } = await tenant.createDomain();
  await importZone(tenant, { name }, manyRecords('r', LARGE_ROWS + 1));
  const { rows } = await here.query<[boolean, boolean]>(
    `SELECT rest_seq = last_seq, rest_until BETWEEN ${DATABASE_CLOCK} - 60000 AND ${DATABASE_CLOCK} + ${MAX_REST_MS} FROM counters`,
  );
  expect(rows).toEqual([[true, true]]);
  const held = await here.query('SELECT FROM pg_locks WHERE locktype = $1 AND objid = $2', [
    'advisory',
    LARGE_LOCK,
  ]);
  expect(held.rowCount).toBe(0);
});

test('while a large write rests, others write, and nobody sees its records', async () => {
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  const [{ name }, other] = [await tenant.createDomain(), await tenant.createDomain()];
  await restUntil('last_seq - 1', 1000);
  const progress = { isOver: false };
  const large = importZone(tenant, { name }, manyRecords('r', LARGE_ROWS + 1)).finally(
    () => (progress.isOver = true),
  );
  let written = 0;
  for (; !progress.isOver; written++) {
    expect(await tenant.create(other.name, newRecord(`s${written}`))).toMatchObject({ ok: true });
    const { rows } = await there.query<[number, number]>(
      `SELECT record_count, (SELECT count(*) FROM records WHERE domain_id = domains.id) FROM domains WHERE name = '${name}'`,
    );
    expect(rows[0][1]).toBe(rows[0][0]);
  }
  expect(await large).toMatchObject({ ok: true, changed: true });
  expect(written).toBeGreaterThan(1);
});

test('large writes of two processes are both done', async () => {
  const elsewhere = await openStore(database.address);
  const scenes = [store, elsewhere].map((one) => new StoreScene(withoutZones(one)));
  const tenants = await Promise.all(scenes.map((scene) => scene.newAccount()));
  const domains = await Promise.all(tenants.map((tenant) => tenant.createDomain()));
  const imports = tenants.map((tenant, at) =>
    importZone(tenant, domains[at], manyRecords('r', LARGE_ROWS + 1)),
  );
  for (const result of await Promise.all(imports)) expect(result).toMatchObject({ ok: true, changed: true });
  await elsewhere.close();
});
