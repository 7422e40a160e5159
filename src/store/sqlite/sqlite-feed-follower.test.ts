import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { EMPTY_SUM, HashSum } from '../../base/hash-sum.ts';
import { silentLog } from '../../base/log.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord as addRecordHash } from '../../model/zone-hash.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import { MAX_UPDATED_OWNERS } from '../../writes/zone-replacement.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import { WITHHELD_DOMAINS } from './migrations/0020-withheld-domains.ts';
import { openStoreFiles, storePath } from './open-store-files.ts';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';
import { SqliteFeedFollower } from './sqlite-feed-follower.ts';

/* The suite of the store follows every kind of write, see served-store.test-support.ts. */

const name = 'example.com' as ZoneName;
const PAGE_BYTES = 4096;

let folder: string;
let seq: number;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'zonewright-follower-')), 'data');
  seq = 0;
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

function follow() {
  const updates: ZoneUpdate[] = [];
  const lost: string[] = [];
  const path = storePath(folder);
  const follower = new SqliteFeedFollower({ path, log: silentLog, onLost: (reason) => lost.push(reason) });
  follower.onUpdate((batch) => updates.push(...batch));
  onTestFinished(() => follower.close());
  return { follower, updates, lost };
}

/** Creates the store with one domain. */
function createStore(): SqliteDatabase {
  const { path, lock } = openStoreFiles(folder, 0);
  const database = openDatabase(path);
  onTestFinished(() => {
    database.close();
    lock.release();
  });
  database.exec(`
    INSERT INTO accounts (id, name, email, created_at, domain_count, key_count) VALUES ('a', '', '', 0, 1, 0);
    INSERT INTO domains (id, account_id, name, created_at, serial, record_count) VALUES (1, 'a', '${name}', 0, 5, 0);`);
  addChange(database, 'domainPut', null);
  return database;
}

function addChange(database: SqliteDatabase, kind: string, owner: string | null): void {
  seq++;
  database
    .prepare(
      `INSERT INTO changes (seq, at, kind, domain_id, domain, serial, key_id, owner) VALUES (?, 0, ?, 1, ?, 5, 'k', ?)`,
    )
    .run(seq, kind, name, owner);
  database.prepare('UPDATE counters SET last_seq = ?').run(seq);
}

function addRecord(database: SqliteDatabase, owner: string, bytes = 4): void {
  database
    .prepare(`INSERT INTO records VALUES (1, ?, ?, ?, 1, '', -1, 60, ?)`)
    .run(`${owner}-${seq}`, owner, owner, new Uint8Array(bytes));
  addChange(database, 'recordPut', owner);
}

test('it waits for the store, and announces what was stored meanwhile', async () => {
  const { follower, updates } = follow();
  follower.wake();
  expect([follower.state().phase, follower.hostedCount()]).toEqual(['away', 0]);
  createStore();
  await expect.poll(() => follower.state()).toMatchObject({ phase: 'following', seq: 1, lagMs: 0 });
  expect(updates).toMatchObject([{ kind: 'replaced', head: { name, domainId: 1 } }]);
  expect(follower.hostedNames('', 10)).toEqual([name]);
});

test('it waits for tables in an empty file, and for a file that is no store', async () => {
  mkdirSync(folder);
  writeFileSync(storePath(folder), '');
  const { follower } = follow();
  follower.wake();
  expect(follower.state().phase).toBe('away');
  createStore();
  await expect.poll(() => follower.state().phase).toBe('following');
});

test('it serves what is stored at its start, and follows from there', () => {
  const database = createStore();
  const { follower, updates } = follow();
  expect(follower.state()).toMatchObject({ phase: 'following', seq: 1 });
  addRecord(database, 'www');
  follower.wake();
  expect(follower.state().seq).toBe(2);
  expect(updates).toMatchObject([
    { kind: 'changed', created: false, owners: [{ owner: 'www', records: [{ type: 1, ttl: 60 }] }] },
  ]);
});

test('it knows withheld domains of a store whose tables are brought up to date while it reads them', () => {
  const database = createStore();
  database.exec(`DROP INDEX domains_withheld; DROP INDEX domains_unverified; ALTER TABLE domains DROP COLUMN withheld;
    ALTER TABLE domains DROP COLUMN withheld_seq; PRAGMA user_version = 19`);
  const { follower, updates } = follow();
  const snapshot = follower.readZone(name);
  addRecord(database, 'www');
  follower.wake();
  expect([follower.state().seq, follower.hostedNames('', 10), snapshot?.head.serial]).toEqual([2, [name], 5]);
  database.exec(WITHHELD_DOMAINS.replace(/ALTER TABLE deleted_domains.*;/g, ''));
  database.exec("UPDATE domains SET withheld = 'suspended'; PRAGMA user_version = 20");
  addChange(database, 'domainWithhold', null);
  follower.wake();
  expect(updates.at(-1)).toEqual({ kind: 'deleted', domainId: 1, name });
  expect([follower.hostedNames('', 10), follower.hostedCount(), follower.readZone(name)]).toEqual([
    [],
    0,
    undefined,
  ]);
});

test('a damaged zone that is withheld is found, and known to be right when it is', async () => {
  const database = createStore();
  addRecord(database, 'www');
  database.exec("UPDATE domains SET withheld = 'suspended', content_hash = 'wrong', hashed_serial = 5");
  const { follower } = follow();
  await expect.poll(() => follower.state().doubt?.damagedZones, { timeout: 10_000 }).toBe(1);
  expect(follower.readZone(name)).toBeUndefined();
});

test('a change is found without a wake', async () => {
  const database = createStore();
  const { follower } = follow();
  addRecord(database, 'www');
  await expect.poll(() => follower.state().seq).toBe(2);
});

test('a feed that has grown by very many changes is read in steps, and published as one state', async () => {
  const database = createStore();
  const { follower, updates } = follow();
  database.exec('BEGIN');
  for (let i = 0; i <= 5000; i++) addRecord(database, `n${i % 100}`);
  database.exec('COMMIT');
  follower.wake();
  expect(follower.state().seq).toBe(1);
  // Belongs to the next state.
  addRecord(database, 'late');
  await expect.poll(() => follower.state().seq).toBe(seq);
  expect(updates).toHaveLength(2);
  expect(updates[0]).toMatchObject({ kind: 'changed' });
  expect(updates[0].kind === 'changed' && updates[0].owners).toHaveLength(100);
  expect(updates[1]).toMatchObject({ owners: [{ owner: 'late' }] });
});

test.each([
  ['owners', MAX_UPDATED_OWNERS + 1, 4],
  ['octets', 80, 65_000],
])('a zone with very many changed %s is read again instead', async (_, owners, bytes) => {
  const database = createStore();
  const { follower, updates } = follow();
  database.exec('BEGIN');
  for (let i = 0; i < owners; i++) addRecord(database, `n${i}`, bytes);
  database.exec('COMMIT');
  follower.wake();
  await expect.poll(() => follower.state().seq).toBe(seq);
  expect(updates).toMatchObject([{ kind: 'replaced', head: { name } }]);
});

test('a domain that was deleted and created again is forgotten first', () => {
  const database = createStore();
  const { follower, updates } = follow();
  addChange(database, 'domainDelete', null);
  addChange(database, 'domainPut', null);
  follower.wake();
  expect(updates).toMatchObject([
    { kind: 'deleted', domainId: 1, name },
    { kind: 'changed', created: true, owners: [] },
  ]);
});

test('a domain that was deleted and restored is read as a whole', () => {
  const database = createStore();
  const { follower, updates } = follow();
  addChange(database, 'domainDelete', null);
  addChange(database, 'domainRestore', null);
  addRecord(database, 'www');
  follower.wake();
  expect(updates).toMatchObject([{ kind: 'replaced', head: { domainId: 1, name } }]);
  addChange(database, 'domainRestore', null);
  addChange(database, 'domainDelete', null);
  database.exec('DELETE FROM domains');
  follower.wake();
  expect(updates.slice(1)).toEqual([{ kind: 'deleted', domainId: 1, name }]);
});

test.each([
  ['were removed', 'DELETE FROM changes WHERE seq <= 3'],
  ['have a gap', 'DELETE FROM changes WHERE seq = 3'],
  ['never were', 'UPDATE counters SET last_seq = 0'],
])('it reports that it is lost if the changes after its position %s', (_, sql) => {
  const database = createStore();
  const { follower, lost } = follow();
  addRecord(database, 'one');
  addRecord(database, 'two');
  addRecord(database, 'three');
  database.exec(sql);
  follower.wake();
  expect(lost).toHaveLength(1);
});

test('a zone whose rows are not those that were written is not served and reported, until it is right', () => {
  const database = createStore();
  addRecord(database, 'www');
  const sum = new HashSum();
  addRecordHash(sum, { id: 'www-1', owner: 'www' as OwnerKey, type: 1, ttl: 60, rdata: new Uint8Array(4) });
  database.prepare('UPDATE domains SET content_hash = ?, hashed_serial = serial').run(sum.toString());
  const { follower } = follow();
  expect([...(follower.readZone(name)?.records ?? [])]).toHaveLength(1);
  expect(follower.state().doubt).toBeUndefined();
  database.exec("UPDATE records SET rdata = X'7f000001'");
  expect(() => follower.readZone(name)).toThrow(ZoneDamaged);
  expect(follower.state().doubt).toMatchObject({
    about: 'some',
    damagedZones: 1,
    isDamage: true,
    zones: [name],
  });
});

test('a damaged zone that is written right again is served, and known to be right, without a restart', async () => {
  const database = createStore();
  database.exec("UPDATE domains SET content_hash = 'another', hashed_serial = serial");
  const { follower } = follow();
  const doubts: (string | undefined)[] = [];
  follower.onProgress(() => doubts.push(follower.state().doubt?.reason));
  expect(() => follower.readZone(name)).toThrow(ZoneDamaged);
  expect(doubts).toEqual(['1 zones of the store are damaged: replace their records, or restore a backup']);
  addChange(database, 'domainPut', null);
  follower.wake();
  database.exec(`UPDATE domains SET content_hash = '${EMPTY_SUM}'`);
  addChange(database, 'domainPut', null);
  follower.wake();
  await expect.poll(() => follower.state().doubt).toBeUndefined();
  expect(doubts.at(-1)).toBeUndefined();
});

test('a zone whose pages cannot be read is damaged as well, and holds up neither checks nor the feed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const database = createStore();
  for (let index = 0; index < 3; index++) addRecord(database, `r${index}`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'records_by_owner'");
  const { rootpage } = root.get() as { rootpage: number };
  const file = openSync(storePath(folder), 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (rootpage - 1) * PAGE_BYTES);
  closeSync(file);
  const error = vi.fn();
  const follower = new SqliteFeedFollower({
    path: storePath(folder),
    log: { ...silentLog, error },
    onLost: () => undefined,
  });
  onTestFinished(() => follower.close());
  await vi.advanceTimersByTimeAsync(3000);
  expect(follower.state().doubt).toMatchObject({ about: 'some', zones: [name] });
  expect(error.mock.calls).toEqual([
    [{ zone: name }, 'the rows of a zone in the store are damaged; replace or restore its records'],
  ]);
  addChange(database, 'recordPut', 'r0');
  follower.wake();
  expect(follower.state()).toMatchObject({ phase: 'following', seq });
});

test('the background round finds a damaged zone, and that it is right again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const database = createStore();
  database.exec("UPDATE domains SET content_hash = 'another', hashed_serial = serial");
  const { follower } = follow();
  await vi.advanceTimersByTimeAsync(3000);
  expect(follower.state().doubt).toMatchObject({ damagedZones: 1 });
  database.exec(`UPDATE domains SET content_hash = '${EMPTY_SUM}'`);
  await vi.advanceTimersByTimeAsync(3000);
  expect(follower.state().doubt).toBeUndefined();
});
