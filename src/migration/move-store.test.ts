import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { recordOctets } from '../model/stored-octets.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { dropDatabase, newDatabase } from '../../test/harness/postgres-server.ts';
import { connectPostgres, type PostgresConnection } from '../store/postgres/postgres-connection.ts';
import type { PostgresAddress } from '../store/postgres/postgres-address.ts';
import { openPostgresStore, type PostgresStore } from '../store/postgres/postgres-store.ts';
import { migrationLimits } from './postgres-source.ts';
import { openStoreFiles, partPath, storePath } from '../store/sqlite/open-store-files.ts';
import { newRecord, StoreScene, sceneClock } from '../store/suite/store-scene.test-support.ts';
import type { CopyOptions } from './copy-content.ts';
import { openSource, openTarget } from './open-place.ts';
import {
  databasePlace,
  fillFolder,
  folderPlace,
  move,
  newFolder,
  NOW_MS,
  openStoreIn,
  quietOptions,
} from './migration-scene.test-support.ts';
import { storeTables } from './store-tables.ts';

let folders: string[];
let url: string;
beforeEach(async () => {
  folders = [newFolder(), newFolder()];
  url = await newDatabase(inject('postgresUrl'));
});
afterEach(async () => {
  await dropDatabase(url);
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test('a store moved to PostgreSQL and back keeps its content', async () => {
  const [first, second] = folders;
  await fillFolder(first);
  const there = await move(folderPlace(first), databasePlace(url));
  expect(there.outcome).toBe('moved');
  expect(there.content.rows).toEqual({
    counters: 1,
    accounts: 2,
    keys: 2,
    domains: 2,
    records: 604,
    retired_serials: 1,
    deleted_domains: 1,
    idempotency: 0,
    changes: 607,
    change_authors: 1,
    account_limits: 0,
    account_nameservers: 0,
    zone_keys: 0,
    users: 1,
    memberships: 1,
    identities: 1,
    trail: 1,
    upkeep_time: 1,
  });
  const back = await move(databasePlace(url), folderPlace(second));
  expect(back).toEqual(there);
  // Nothing is lost that both hashes would miss.
  const store = await openStoreIn(second);
  const scene = new StoreScene(store);
  const original = await openStoreIn(first);
  expect(scene.served()).toEqual(new StoreScene(original).served());
  await store.close();
  await original.close();
});

test('a repeated move reports that both stores are equal', async () => {
  const [first, second] = folders;
  await fillFolder(first);
  for (const target of [databasePlace(url), folderPlace(second)]) {
    const moved = await move(folderPlace(first), target);
    expect(await move(folderPlace(first), target)).toEqual({ outcome: 'equal', content: moved.content });
  }
});

test('an empty store can be moved', async () => {
  const [first, second] = folders;
  openStoreFiles(first, NOW_MS).lock.release();
  const there = await move(folderPlace(first), databasePlace(url));
  const back = await move(databasePlace(url), folderPlace(second));
  expect([there.outcome, back]).toEqual(['moved', there]);
  openStoreFiles(second, NOW_MS).lock.release();
});

test('the feed of a filled database has one batch with a new id, so that followers restart', async () => {
  await fillFolder(folders[0]);
  await move(folderPlace(folders[0]), databasePlace(url));
  expect(await ask('SELECT last_seq, has_changes, at FROM batches')).toEqual([[607, true, NOW_MS]]);
});

test.each(['PostgreSQL', 'SQLite'])(
  'a move to %s with other content is refused and changes nothing',
  async (engine) => {
    const [first, second] = folders;
    const third = newFolder();
    folders.push(third);
    const target = engine === 'SQLite' ? folderPlace(third) : databasePlace(url);
    await fillFolder(first);
    await fillFolder(second, 3);
    const { content } = await move(folderPlace(second), target);
    await expect(move(folderPlace(first), target)).rejects.toThrow(
      / is not empty and differs from the source \(604 rows of records in one, 7 in the other\): it has 2 accounts, 2 domains, 7 records and 10 feed entries$/,
    );
    expect(await move(folderPlace(second), target)).toEqual({ outcome: 'equal', content });
  },
);

test.each(['PostgreSQL', 'SQLite'])('an interrupted move to %s leaves nothing behind', async (engine) => {
  const [first, second] = folders;
  const target = engine === 'SQLite' ? folderPlace(second) : databasePlace(url);
  await fillFolder(first);
  await expect(move(folderPlace(first), target, interruptAfter(300))).rejects.toThrow(
    /^interrupted, nothing was changed$/,
  );
  if (engine === 'SQLite')
    expect([existsSync(storePath(second)), existsSync(partOf(second))]).toEqual([false, false]);
  else
    expect(await ask("SELECT to_regclass('counters'), to_regclass('zonewright_transfer')")).toEqual([
      [null, null],
    ]);
});

test('services refuse a database that a killed move left incomplete, and the move can be repeated', async () => {
  await fillFolder(folders[0]);
  const { address } = databasePlace(url);
  const target = await openTarget(databasePlace(url), NOW_MS);
  await target.begin();
  const refusal =
    /^the store in postgres:.* is not complete: repeat the interrupted move or restore, or drop/;
  await expect(openService(address)).rejects.toThrow(refusal);
  await expect(move(folderPlace(folders[0]), databasePlace(url))).rejects.toThrow(/ is under way$/);
  await endSessions();
  await target.close();
  await expect(openService(address)).rejects.toThrow(refusal);
  await expect(openSource(databasePlace(url), 'shared')).rejects.toThrow(refusal);
  expect((await move(folderPlace(folders[0]), databasePlace(url))).outcome).toBe('moved');
  await (await openService(address)).close();
});

test('a service on the database continues from the state of the moved store', async () => {
  await fillFolder(folders[0], 3);
  await move(folderPlace(folders[0]), databasePlace(url));
  const store = await openService(databasePlace(url).address);
  expect(await store.lastSeq()).toBe(10);
  const { accountId, name } = await firstDomain();
  const domain = await store.findDomain(accountId, name);
  const author = { accountId, keyId: 'k', atMs: NOW_MS };
  const record = newRecord('more');
  const outcome = await store.write({
    kind: 'createRecord',
    author,
    domain: name,
    record,
  });
  expect(outcome).toMatchObject({ ok: true });
  expect(await store.findDomain(accountId, name)).toEqual({
    ...domain,
    serial: Number(domain?.serial) + 1,
    revisedSerial: Number(domain?.serial) + 1,
    recordCount: Number(domain?.recordCount) + 1,
    octets: Number(domain?.octets) + recordOctets(record),
  });
  expect((await store.changesAfter(9, 10)).map(({ seq }) => seq)).toEqual([10, 11]);
  await store.close();
});

test('services refuse a folder that a killed move left incomplete, and the move can be repeated', async () => {
  const [first, second] = folders;
  await fillFolder(first);
  writeFileSync(partOf(second), 'half');
  const refusal =
    /^the store in .* is not complete: repeat the interrupted move or restore, or remove .*\.part/;
  await expect(openStoreIn(second)).rejects.toThrow(refusal);
  await expect(openSource(folderPlace(second), 'shared')).rejects.toThrow(refusal);
  expect((await move(folderPlace(first), folderPlace(second))).outcome).toBe('moved');
  await (await openStoreIn(second)).close();
});

test('a move from a source in use is refused', async () => {
  const [first, second] = folders;
  const store = await openStoreIn(first);
  await expect(move(folderPlace(first), folderPlace(second))).rejects.toThrow(
    /another process is already running/,
  );
  await store.close();
  await move(folderPlace(first), databasePlace(url));
  const service = await connect();
  await expect(move(databasePlace(url), folderPlace(second))).rejects.toThrow(
    / is in use \(by zonewright\): stop the services on it first$/,
  );
  await service.close();
});

test.each([
  ['a folder', () => folderPlace(join(folders[0], 'nothing'))],
  ['a database', () => databasePlace(url)],
])('a move from %s without a store is refused and creates none', async (_, place) => {
  await expect(move(place(), folderPlace(folders[1]))).rejects.toThrow(/^there is no store in /);
  expect(existsSync(join(folders[0], 'nothing'))).toBe(false);
});

test('storeTables lists the tables of both engines, column by column', async () => {
  await move(folderPlace(await emptyStore()), databasePlace(url));
  const columns = await ask(
    `SELECT table_name, string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns
     WHERE table_schema = 'public' GROUP BY table_name`,
  );
  const notCopied = new Set([
    'accesses',
    'account_usage',
    'batches',
    'invitations',
    'nameservers',
    'nameserver_reports',
    'sessions',
    'trail_usage',
    'zonewright_schema',
  ]);
  expect(
    columns
      .filter(([table]) => !notCopied.has(String(table)))
      .map(([table, names]) => [table, withoutCounts(String(table), String(names))])
      .sort(),
  ).toEqual(storeTables.map((table) => [table.name, table.columns.map(({ name }) => name).join(',')]).sort());
});

/** Counts and hashes are made from the rows where the store arrives; entries of the feed and outcomes are not counted there. */
function withoutCounts(table: string, columns: string): string {
  const counts: Readonly<Record<string, RegExp>> = {
    counters: /,domain_count,digest_.*$/,
    domains: /,octets,content_hash,hashed_serial/,
    deleted_domains: /,octets,content_hash/,
    changes: /,account_id,octets$/,
    idempotency: /,account_id,octets$/,
  };
  return columns.replace(counts[table] ?? '', '');
}

function openService(address: PostgresAddress): Promise<PostgresStore> {
  return openPostgresStore({
    address,
    clock: sceneClock,
    upkeepClock: sceneClock,
    log: silentLog,
    historyDays: 36_500,
  });
}

async function firstDomain(): Promise<{ accountId: string; name: ZoneName }> {
  const [[accountId, name]] = await ask('SELECT account_id, name FROM domains ORDER BY id LIMIT 1');
  return { accountId: String(accountId), name: name as ZoneName };
}

async function emptyStore(): Promise<string> {
  const [folder] = folders;
  await (await openStoreIn(folder)).close();
  return folder;
}

function partOf(folder: string): string {
  return partPath(storePath(folder));
}

function interruptAfter(rows: number): CopyOptions {
  const controller = new AbortController();
  let seen = 0;
  const advance = (more: number): void => {
    seen += more;
    if (seen >= rows) controller.abort();
  };
  return { progress: { ...quietOptions.progress, advance }, signal: controller.signal };
}

function connect(): Promise<PostgresConnection> {
  return connectPostgres(databasePlace(url).address, migrationLimits);
}

async function ask(sql: string): Promise<unknown[][]> {
  const connection = await connect();
  const { rows } = await connection.query<unknown[]>(sql);
  await connection.close();
  return rows;
}

/** Ends all other sessions of the test's database, as if their processes were killed. */
async function endSessions(): Promise<void> {
  await ask(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}
