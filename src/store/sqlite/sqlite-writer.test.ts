import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Author, Command } from '../../writes/command.ts';
import type { ZoneName } from '../../model/domain.ts';
import { START_MS, START_SECONDS, newId, newKey, newRecord } from '../suite/store-scene.test-support.ts';
import { openStoreFiles, storePath } from './open-store-files.ts';
import { prepareQuery } from './sqlite-driver.ts';
import { createUpkeep, UPKEEP_SLICE_ROWS } from './sqlite-upkeep.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { StoreLock } from './store-lock.ts';

const account = { id: newId(), name: '', email: '', createdAtSeconds: START_SECONDS };
const key = newKey(account.id);
const author: Author = { accountId: account.id, keyId: key.id, atMs: START_MS };
const domain = 'example.com' as ZoneName;

let folder: string;
let lock: StoreLock;
let writer: SqliteWriter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-writer-'));
  const files = openStoreFiles(folder, START_MS);
  lock = files.lock;
  writer = new SqliteWriter(files.path);
  writer.commitBatch([{ kind: 'createAccount', account, key }, createDomain(domain)]);
});

afterEach(() => {
  writer.close();
  lock.release();
  rmSync(folder, { recursive: true });
});

test('a full disk fails the whole batch, and later batches succeed', () => {
  const before = contents();
  const large = Array.from({ length: 200 }, (_, i) =>
    createRecord(`r${i}`, { type: 16, data: 'x'.repeat(4000) }),
  );
  const [pages] = prepareQuery<[number]>(writer.database, 'PRAGMA page_count').get() ?? [0];
  writer.database.exec(`PRAGMA max_page_count = ${pages + 10}`);
  const failed = writer.commitBatch([createRecord('small'), ...large]);
  expect(new Set(failed.results.map(({ kind }) => kind))).toEqual(new Set(['unavailable']));
  expect(failed.results).toHaveLength(201);
  expect(failed.lastSeq).toBeNull();
  expect(contents()).toEqual(before);

  writer.database.exec('PRAGMA max_page_count = 100000');
  const { results, lastSeq } = writer.commitBatch([createRecord('small'), ...large]);
  expect(results.every((result) => result.kind === 'decided' && result.result.ok)).toBe(true);
  expect(lastSeq).toBe(202);
  expect(count('records')).toBe(201);
});

test('a long log is moved by the next commit, unless it is left to another thread', () => {
  const fileBytes = (): number => statSync(storePath(folder)).size;
  const before = fileBytes();
  const data = 'x'.repeat(60_000);
  writer.keepLogShort(false);
  for (let batch = 0; batch < 4; batch++) {
    const long = Array.from({ length: 80 }, (_, i) => createRecord(`r${batch}-${i}`, { type: 16, data }));
    writer.commitBatch(long);
  }
  expect(fileBytes()).toBe(before);
  writer.keepLogShort(true);
  writer.commitBatch([createRecord('last')]);
  expect(fileBytes()).toBeGreaterThan(16 * 1024 * 1024);
});

test('a batch of refusals and repeats writes nothing', () => {
  writer.commitBatch([createRecord('www')]);
  const before = contents();
  const { results, lastSeq } = writer.commitBatch([createRecord('www'), createDomain(domain)]);
  expect(results).toMatchObject([
    { result: { ok: true, changed: false } },
    { result: { ok: true, changed: false } },
  ]);
  expect(lastSeq).toBe(2);
  expect(contents()).toEqual(before);
});

test("a deleted domain's records are purged in slices once the history ends, other records stay", () => {
  const upkeep = createUpkeep(writer.database);
  const doomed = 'doomed.example' as ZoneName;
  const many = UPKEEP_SLICE_ROWS * 2 + 1;
  const records = Array.from({ length: many }, (_, i) => createRecord(`r${i}`, {}, doomed));
  writer.commitBatch([createDomain(doomed), createRecord('www'), ...records]);
  writer.commitBatch([{ kind: 'deleteDomain', author, name: doomed }]);
  const left: number[] = [];
  upkeep.setTime({ nowMs: START_MS, historyStartMs: START_MS, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  expect(count('records')).toBe(many + 1);
  upkeep.setTime({ nowMs: START_MS, historyStartMs: START_MS + 1, trailStartMs: 0 });
  writer.database.exec('DELETE FROM changes');
  while (writer.inTransaction(() => upkeep.runSlice())) left.push(count('records'));
  const [all, slice] = [many + 1, UPKEEP_SLICE_ROWS];
  expect(left).toEqual([all, all - slice, all - 2 * slice, 1]);
  expect(count('deleted_domains')).toBe(0);
});

test('a domain whose records are being purged can no longer be restored', () => {
  const upkeep = createUpkeep(writer.database);
  const records = Array.from({ length: UPKEEP_SLICE_ROWS + 1 }, (_, i) => createRecord(`r${i}`));
  writer.commitBatch(records);
  writer.commitBatch([{ kind: 'deleteDomain', author, name: domain }]);
  upkeep.setTime({ nowMs: START_MS, historyStartMs: START_MS + 1, trailStartMs: 0 });
  while (count('records') > 1) writer.inTransaction(() => upkeep.runSlice());
  const { results } = writer.commitBatch([{ kind: 'restoreDomain', author, name: domain }]);
  expect(results).toMatchObject([{ result: { ok: false, refusal: { code: 'unknown_domain' } } }]);
});

test('a domain is hashed after it is restored, if an earlier version has deleted it', () => {
  const upkeep = createUpkeep(writer.database);
  writer.onUnhashed = (id) => upkeep.hashZone(id);
  const tidy = (): void => {
    while (writer.inTransaction(() => upkeep.runSlice()));
  };
  const hashOf = () => prepareQuery(writer.database, 'SELECT content_hash FROM domains').get()?.[0];
  tidy();
  writer.commitBatch([createRecord('www')]);
  const hash = hashOf();
  writer.commitBatch([{ kind: 'deleteDomain', author, name: domain }]);
  writer.commitBatch([{ kind: 'restoreDomain', author, name: domain }]);
  expect(hashOf()).toBe(hash);
  writer.commitBatch([{ kind: 'deleteDomain', author, name: domain }]);
  writer.database.exec('UPDATE deleted_domains SET content_hash = NULL');
  writer.commitBatch([{ kind: 'restoreDomain', author, name: domain }]);
  expect(hashOf()).toBeNull();
  tidy();
  expect(hashOf()).toBe(hash);
});

test('upkeep never removes records of a restored domain', () => {
  const upkeep = createUpkeep(writer.database);
  const records = Array.from({ length: UPKEEP_SLICE_ROWS + 1 }, (_, i) => createRecord(`r${i}`));
  writer.commitBatch(records);
  writer.commitBatch([{ kind: 'deleteDomain', author, name: domain }]);
  writer.commitBatch([{ kind: 'restoreDomain', author, name: domain }]);
  upkeep.setTime({ nowMs: START_MS + 1, historyStartMs: START_MS + 1, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  expect([count('records'), count('deleted_domains')]).toEqual([records.length, 0]);
  expect(prepareQuery(writer.database, 'SELECT record_count FROM domains').get()).toEqual([records.length]);
});

test('the oldest history of an account over its budget is removed, and that of others stays', () => {
  const otherAccount = { ...account, id: newId() };
  const other = { ...author, accountId: otherAccount.id };
  const theirs = 'theirs.example' as ZoneName;
  const createTheirs = { ...createDomain(theirs), author: other } as Command;
  writer.commitBatch([
    { kind: 'createAccount', account: otherAccount, key: newKey(otherAccount.id) },
    createTheirs,
  ]);
  for (let i = 0; i < 10; i++) {
    writer.commitBatch([createRecord(`r${i}`), { ...createRecord(`o${i}`, {}, theirs), author: other }]);
  }
  const history = (): number =>
    Number(
      prepareQuery<[number]>(
        writer.database,
        'SELECT history_octets FROM account_usage WHERE account_id = ?',
      ).get(author.accountId)?.[0],
    );
  const entriesOf = (accountId: string): number =>
    Number(
      prepareQuery<[number]>(writer.database, 'SELECT count(*) FROM changes WHERE account_id = ?').get(
        accountId,
      )?.[0],
    );
  const [all, budget] = [entriesOf(author.accountId), Math.floor(history() / 2)];
  const theirEntries = entriesOf(other.accountId);
  writer.commitBatch([
    { kind: 'updateLimits', accountId: author.accountId, overrides: { historyOctets: budget } },
  ]);
  const upkeep = createUpkeep(writer.database);
  upkeep.setTime({ nowMs: START_MS + 30_000, historyStartMs: 0, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  expect(entriesOf(author.accountId)).toBe(all);
  upkeep.setTime({ nowMs: START_MS + 120_000, historyStartMs: 0, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  expect(history()).toBeLessThanOrEqual(budget);
  expect(history()).toBe(
    prepareQuery<[number]>(writer.database, 'SELECT sum(octets) FROM changes WHERE account_id = ?').get(
      author.accountId,
    )?.[0],
  );
  expect(entriesOf(other.accountId)).toBe(theirEntries);
  const [gap, oldest] = prepareQuery<[number, number]>(
    writer.database,
    'SELECT gap_seq, (SELECT min(seq) FROM changes WHERE account_id = ?) FROM counters',
  ).get(author.accountId) ?? [0, 0];
  expect(gap).toBeLessThan(oldest);
});

test('feed entries older than the history are removed, only from the beginning', () => {
  const upkeep = createUpkeep(writer.database);
  const at = (atMs: number): void => {
    writer.commitBatch([{ ...createRecord(`r${atMs}`), author: { ...author, atMs } }]);
  };
  [START_MS + 1, START_MS + 5, START_MS + 2, START_MS + 6].forEach(at);
  upkeep.setTime({ nowMs: START_MS + 10, historyStartMs: START_MS + 3, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  const kept = prepareQuery(writer.database, 'SELECT seq, at - ? FROM changes ORDER BY seq').all(START_MS);
  expect(kept).toEqual([
    [3, 5],
    [4, 2],
    [5, 6],
  ]);
});

test('the serial of a deleted domain is removed when the clock is a day past it', () => {
  const upkeep = createUpkeep(writer.database);
  const tidyAt = (seconds: number): void => {
    upkeep.setTime({ nowMs: seconds * 1000, historyStartMs: 0, trailStartMs: 0 });
    while (writer.inTransaction(() => upkeep.runSlice()));
  };
  writer.commitBatch([createRecord('www')]);
  writer.commitBatch([{ kind: 'deleteDomain', author, name: domain }]);
  tidyAt(START_SECONDS + 86_402);
  expect(count('retired_serials')).toBe(1);
  tidyAt(START_SECONDS + 86_403);
  expect(count('retired_serials')).toBe(0);
});

test('a note is stored once for each write, not with each change', () => {
  const sizeOf = (): number => {
    const pages = prepareQuery<[number]>(writer.database, 'PRAGMA page_count').get()?.[0] ?? 0;
    return pages * (prepareQuery<[number]>(writer.database, 'PRAGMA page_size').get()?.[0] ?? 0);
  };
  const changes = 10_000;
  const records = Array.from({ length: changes }, (_, at) => newRecord(`r${at}`));
  const noted: Author = { ...author, address: '2001:db8::1', note: 'ü'.repeat(500) };
  const before = sizeOf();
  const { results } = writer.commitBatch([
    { kind: 'importZone', author: noted, domain, records, mode: 'merge', soa: null },
  ]);
  expect(results).toMatchObject([{ kind: 'decided', result: { ok: true } }]);
  // A record and its entry in the feed, with all indexes; measured: 309 octets, and 1,520 when each entry had its own note.
  expect((sizeOf() - before) / changes).toBeLessThan(MAX_OCTETS_PER_CHANGE);
  expect(prepareQuery(writer.database, 'SELECT note FROM change_authors').all()).toEqual([[noted.note]]);

  const upkeep = createUpkeep(writer.database);
  upkeep.setTime({ nowMs: START_MS + 1, historyStartMs: START_MS + 1, trailStartMs: 0 });
  while (writer.inTransaction(() => upkeep.runSlice()));
  expect([count('changes'), count('change_authors')]).toEqual([0, 0]);
});

test.each([
  'SELECT * FROM records INDEXED BY records_by_owner WHERE domain_id = 1 AND owner = 0',
  'SELECT * FROM records WHERE domain_id = 1 AND id > 0 ORDER BY id LIMIT 100',
  `SELECT * FROM records INDEXED BY records_by_owner
   WHERE domain_id = 1 AND (owner, id) > (0, 0) ORDER BY owner, id LIMIT 100`,
  'SELECT * FROM domains INDEXED BY domains_by_account WHERE account_id = 0 AND name > 0 ORDER BY name LIMIT 100',
  'SELECT * FROM keys INDEXED BY keys_by_account WHERE account_id = 0 AND id > 0 ORDER BY id LIMIT 100',
  'SELECT name FROM domains WHERE name > 0 ORDER BY name LIMIT 100',
  'SELECT at FROM changes INDEXED BY changes_by_domain WHERE domain_id = 0 ORDER BY seq DESC LIMIT 1',
])('runs without scan or sorting: %s', (sql) => {
  const plan = prepareQuery<[number, number, number, string]>(
    writer.database,
    `EXPLAIN QUERY PLAN ${sql}`,
  ).all();
  expect(plan.map(([, , , step]) => step).join('; ')).toMatch(
    /^SEARCH \w+ USING [A-Z ]*(INDEX|PRIMARY KEY)[^;]*$/,
  );
});

function createDomain(name: ZoneName): Command {
  return { kind: 'createDomain', author, name, address: null, nameservers: [] };
}

function createRecord(owner: string, fields = {}, name = domain): Command & { kind: 'createRecord' } {
  return { kind: 'createRecord', author, domain: name, record: newRecord(owner, 1, fields) };
}

const MAX_OCTETS_PER_CHANGE = 400;

function count(table: string): number {
  return prepareQuery<[number]>(writer.database, `SELECT count(*) FROM ${table}`).get()?.[0] ?? -1;
}

function contents(): unknown {
  const tables = ['counters', 'accounts', 'keys', 'domains', 'records', 'changes', 'retired_serials'];
  return tables.map((table) => prepareQuery(writer.database, `SELECT * FROM ${table}`).all());
}
