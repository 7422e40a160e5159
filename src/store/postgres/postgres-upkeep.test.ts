import { afterEach, beforeEach, expect, test } from 'vitest';
import { noUsage } from '../../model/account-limits.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { WriteResult } from '../../model/result.ts';
import {
  START_MS,
  START_SECONDS,
  StoreScene,
  newRecord,
  type Tenant,
} from '../suite/store-scene.test-support.ts';
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { UPKEEP_LOCK, UPKEEP_SLICE_ROWS, runUpkeep } from './postgres-upkeep.ts';
import { writerLimits } from './postgres-writer.ts';

let database: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let connection: PostgresConnection;
let tenant: Tenant;

beforeEach(async () => {
  database = await newPostgres();
  store = await openStore(database.address, { clock: { nowMs: () => START_MS } });
  connection = await connectPostgres(database.address, { ...writerLimits, idleInTransactionMs: 10_000 });
  tenant = await new StoreScene(withoutZones(store)).newAccount();
});

afterEach(async () => {
  await connection.close();
  await store.close();
  await database.remove();
});

test("a deleted domain's records are purged, other records stay", async () => {
  const [doomed, kept] = [await tenant.createDomain(), await tenant.createDomain()];
  const names = Array.from({ length: UPKEEP_SLICE_ROWS + 1 }, (_, index) => `r${index}`);
  await Promise.all(names.map((name) => tenant.create(doomed.name, newRecord(name))));
  await tenant.create(kept.name, newRecord('www'));
  await connection.query('INSERT INTO deleted_domains VALUES ($1)', [doomed.id]);
  await tidy(START_MS, 0);
  expect([await count('records'), await count('deleted_domains')]).toEqual([1, 0]);
});

test('a domain whose records are being purged can no longer be restored', async () => {
  const { name } = await tenant.createDomain();
  const names = Array.from({ length: UPKEEP_SLICE_ROWS + 1 }, (_, index) => `r${index}`);
  await Promise.all(names.map((owner) => tenant.create(name, newRecord(owner))));
  await tenant.deleteDomain(name);
  let slices = 0;
  const isStopped = (): boolean => ++slices > 2;
  const times = { nowMs: START_MS, historyStartMs: START_MS + 1, trailStartMs: 0 };
  await runUpkeep(database.address, () => ({ times, trustedMs: null }), isStopped);
  expect(await count('records')).toBe(1);
  expect(await restore(name)).toMatchObject({ ok: false, refusal: { code: 'unknown_domain' } });
});

test.each(['by its name', 'by its former id'])(
  'a restore %s waits for upkeep that is expiring the domain',
  async (how) => {
    const { name, id } = await tenant.createDomain();
    await tenant.deleteDomain(name);
    await connection.query('BEGIN');
    await connection.query('UPDATE deleted_domains SET deleted_at = NULL');
    const state = { isSettled: false };
    const restoring = restore(name, how === 'by its name' ? undefined : id);
    void restoring.finally(() => (state.isSettled = true));
    while (!state.isSettled && !(await isAnyWaiting()));
    await connection.query('COMMIT');
    expect(await restoring).toMatchObject({ ok: false, refusal: { code: 'unknown_domain' } });
  },
);

test('upkeep that expires domains passes over one that is being restored, and never purges its records', async () => {
  const [{ name }, gone] = [await tenant.createDomain(), await tenant.createDomain()];
  const names = Array.from({ length: UPKEEP_SLICE_ROWS + 1 }, (_, index) => `r${index}`);
  await Promise.all(names.map((owner) => tenant.create(name, newRecord(owner))));
  await tenant.create(gone.name, newRecord('www'));
  await tenant.deleteDomain(name);
  await tenant.deleteDomain(gone.name);
  // The restoration has locked its row and waits for another one that it writes.
  await connection.query('BEGIN');
  await connection.query('SELECT FROM account_usage FOR UPDATE');
  const restoring = restore(name);
  while (!(await isAnyWaiting()));
  const tidying = tidy(START_MS, START_MS + 1);
  await connection.query('COMMIT');
  expect(await restoring).toMatchObject({ ok: true, value: { recordCount: names.length } });
  await tidying;
  await tidy(START_MS, START_MS + 1);
  expect([await count('records'), await count('deleted_domains')]).toEqual([names.length, 0]);
});

test('feed entries older than the history are removed, only from the beginning, with their batches', async () => {
  const { name } = await tenant.createDomain();
  for (const step of [5, 2, 6]) {
    tenant.nowMs = START_MS + step;
    await tenant.create(name, newRecord(`r${step}`));
  }
  await tidy(START_MS + 10, START_MS + 3);
  const { rows } = await connection.query('SELECT seq, at - $1::bigint FROM changes ORDER BY seq', [
    START_MS,
  ]);
  expect(rows).toEqual([
    [2, 5],
    [3, 2],
    [4, 6],
  ]);
  const batches = await connection.query('SELECT last_seq FROM batches ORDER BY last_seq');
  expect(batches.rows).toEqual([[1], [2], [3], [4]]);
  await tidy(START_MS + 10, START_MS + 100);
  expect([await count('changes'), await count('batches')]).toEqual([0, 1]);
});

test('the oldest history of an account over its budget is removed, and that of others stays', async () => {
  const other = await tenant.scene.newAccount();
  const [mine, theirs] = [await tenant.createDomain(), await other.createDomain()];
  const gone = await tenant.createDomain();
  await tenant.deleteDomain(gone.name);
  tenant.nowMs = START_MS + 1;
  for (let i = 0; i < 10; i++) {
    await tenant.create(mine.name, newRecord(`r${i}`));
    await other.create(theirs.name, newRecord(`o${i}`));
  }
  const historyOf = async ({ account }: Tenant) =>
    (await store.findQuota(account.id))?.usage.historyOctets ?? 0;
  const entriesOf = async ({ account }: Tenant) => {
    const found = await connection.query<[number, number]>(
      'SELECT count(*), coalesce(sum(octets), 0)::bigint FROM changes WHERE account_id = $1',
      [account.id],
    );
    return found.rows[0];
  };
  const before = {
    history: await historyOf(tenant),
    mine: await entriesOf(tenant),
    theirs: await entriesOf(other),
  };
  expect(before.history).toBe(before.mine[1]);
  const historyOctets = Math.floor(before.history / 2);
  await store.write({ kind: 'updateLimits', accountId: tenant.account.id, overrides: { historyOctets } });
  await tidy(START_MS + 30_000, 0);
  expect(await entriesOf(tenant)).toEqual(before.mine);
  await tidy(START_MS + 120_000, 0);
  expect(await historyOf(tenant)).toBeLessThanOrEqual(historyOctets);
  expect(await entriesOf(tenant)).toEqual([expect.any(Number), await historyOf(tenant)]);
  expect(await entriesOf(other)).toEqual(before.theirs);
  expect(await restore(gone.name)).toMatchObject({ refusal: { code: 'unknown_domain' } });
  // A nameserver that is behind what was removed does not find its position.
  const { rows } = await connection.query<[number]>('SELECT min(last_seq) FROM batches');
  expect(rows[0][0]).toBeGreaterThan(1);
});

test('what expires is no longer counted', async () => {
  const { name } = await tenant.createDomain();
  await tenant.create(name, newRecord('a'));
  await tenant.deleteDomain(name);
  await tidy(START_MS + 10, START_MS + 100);
  expect((await store.findQuota(tenant.account.id))?.usage).toEqual({ ...noUsage, keys: 1 });
});

test('the serial of a deleted domain is removed when the clock is a day past it', async () => {
  const { name } = await tenant.createDomain();
  await tenant.create(name, newRecord('www'));
  await tenant.deleteDomain(name);
  await tidy((START_SECONDS + 86_402) * 1000, 0);
  expect(await count('retired_serials')).toBe(1);
  await tidy((START_SECONDS + 86_403) * 1000, 0);
  expect(await count('retired_serials')).toBe(0);
});

test('nameservers silent for a day are removed, and so are reports older than an hour', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const insert =
    'INSERT INTO nameservers VALUES ($1, $2, 0, to_timestamp(3601) - make_interval(hours => $3), 0)';
  await connection.query(insert, [id, 'here', 23]);
  await connection.query(insert, [id.replaceAll('1', '2'), 'gone', 25]);
  await connection.query('INSERT INTO nameserver_reports VALUES ($1, 1, $2), ($1, 2, $3)', [id, 0, 2]);
  await tidy(3_600_001, 0);
  expect((await connection.query('SELECT name FROM nameservers')).rows).toEqual([['here']]);
  expect((await connection.query('SELECT seq FROM nameserver_reports')).rows).toEqual([[2]]);
});

test('upkeep runs in one process at a time', async () => {
  await tenant.createDomain();
  await connection.query('BEGIN');
  await connection.query('SELECT pg_advisory_xact_lock($1)', [UPKEEP_LOCK]);
  await tidy(START_MS, START_MS + 100);
  await connection.query('COMMIT');
  expect(await count('changes')).toBe(1);
});

test("nothing is lost if the database's clock is set ahead for a minute, in any process", async () => {
  const time = { wallMs: START_MS };
  const upkeepClock = { nowMs: () => time.wallMs };
  const first = await openStore(database.address, { upkeepClock });
  const { name } = await tenant.createDomain();
  await tenant.deleteDomain(name);
  time.wallMs += 31 * 86_400_000;
  await first.tidy();
  const second = await openStore(database.address, { upkeepClock });
  expect([first.deletionReading()?.isHeld, second.deletionReading()?.isHeld]).toEqual([true, true]);
  expect(await count('changes')).toBe(2);
  time.wallMs = START_MS;
  await first.tidy();
  await second.tidy();
  expect([first.deletionReading()?.isHeld, second.deletionReading()?.isHeld]).toEqual([false, false]);
  expect(await restore(name)).toMatchObject({ ok: true });
  await first.close();
  await second.close();
});

test('upkeep uses the clock of the database, not that of its process', async () => {
  const times: number[] = [];
  const plan = (wallMs: number) => {
    times.push(wallMs);
    return { times: { nowMs: 0, historyStartMs: 0, trailStartMs: 0 }, trustedMs: wallMs };
  };
  await runUpkeep(database.address, plan, () => false);
  const { rows } = await connection.query<[number, number]>(
    'SELECT trusted_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM upkeep_time',
  );
  const [[trustedMs, nowMs]] = rows;
  expect(times).toEqual([trustedMs]);
  expect(nowMs - trustedMs).toBeGreaterThanOrEqual(0);
  expect(nowMs - trustedMs).toBeLessThan(300_000);
});

function restore(name: ZoneName, id?: number): Promise<WriteResult<Domain>> {
  return store.write({ kind: 'restoreDomain', author: tenant.author, name, id });
}

/** Returns true if a statement waits for a lock. */
async function isAnyWaiting(): Promise<boolean> {
  const { rowCount } = await connection.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount > 0;
}

async function tidy(nowMs: number, historyStartMs: number): Promise<void> {
  const plan = { times: { nowMs, historyStartMs, trailStartMs: 0 }, trustedMs: null };
  await runUpkeep(
    database.address,
    () => plan,
    () => false,
  );
}

async function count(table: string): Promise<number> {
  const { rows } = await connection.query<[number]>(`SELECT count(*) FROM ${table}`);
  return rows[0][0];
}
