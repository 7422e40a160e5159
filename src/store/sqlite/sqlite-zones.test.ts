import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HashSum } from '../../base/hash-sum.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord } from '../../model/zone-hash.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase, prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { SqliteZones } from './sqlite-zones.ts';
import type { StoreLock } from './store-lock.ts';

const name = 'example.com' as ZoneName;

let folder: string;
let lock: StoreLock;
let database: SqliteDatabase;
let zones: SqliteZones;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-zones-'));
  const files = openStoreFiles(folder, 0);
  lock = files.lock;
  database = openDatabase(files.path);
  database.exec(`
    INSERT INTO accounts (id, name, email, created_at, domain_count, key_count) VALUES ('a', '', '', 0, 1, 0);
    INSERT INTO domains (id, account_id, name, created_at, serial, record_count, octets)
      VALUES (1, 'a', '${name}', 0, 5, 0, 0);`);
  zones = new SqliteZones(files.path);
});

afterEach(() => {
  zones.close();
  database.close();
  lock.release();
  rmSync(folder, { recursive: true });
});

test.each([0, 1, 15, 16, 17, 999, 1000, 1001, 2500])(
  'each record of a zone of %i records is read once',
  (count) => {
    insertRecords(count);
    const zone = zones.readZone(name);
    expect(zone?.head).toEqual({ domainId: 1, name, serial: 5, soaPrimary: null, soaEmail: null });
    const addresses = Array.from(zone?.records ?? [], ({ rdata }) => Buffer.from(rdata).readUInt32BE());
    expect(addresses.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
  },
);

test('records are grouped by owner, the apex first, each group in creation order', () => {
  insertRecords(2500);
  const owners = Array.from(zones.readZone(name)?.records ?? [], ({ owner }) => owner);
  const changes = owners.filter((owner, index) => owner !== owners[index - 1]);
  expect(changes).toEqual([...new Set(owners)].sort());
  expect(changes).toHaveLength(7);
});

test('a partly read large zone is a consistent snapshot, while other reads see new data', () => {
  insertRecords(2500);
  const records = zones.readZone(name)?.records[Symbol.iterator]();
  records?.next();
  database.exec('DELETE FROM records; UPDATE domains SET serial = 6');
  expect(zones.readZone(name)?.head.serial).toBe(6);
  let seen = 1;
  while (records?.next().done === false) seen++;
  expect(seen).toBe(2500);
});

test('a partly read large zone keeps its snapshot until its iterator is returned', () => {
  insertRecords(2500);
  const records = zones.readZone(name)?.records[Symbol.iterator]();
  records?.next();
  database.exec('UPDATE domains SET serial = 6');
  expect(isLogHeld()).toBe(true);
  records?.return?.();
  expect(isLogHeld()).toBe(false);
});

test('a zone of few large records is not read at once', () => {
  insertRecords(20, 65_000);
  const records = zones.readZone(name)?.records[Symbol.iterator]();
  records?.next();
  expect(isLogHeld()).toBe(true);
  let seen = 1;
  while (records?.next().done === false) seen++;
  expect(seen).toBe(20);
  expect(isLogHeld()).toBe(false);
});

test.each([
  ['a changed record', "UPDATE records SET rdata = X'7f000001' WHERE id = 'id000007'"],
  ['a changed name', "UPDATE records SET owner = 'other' WHERE id = 'id000007'"],
  ['a missing record', "DELETE FROM records WHERE id = 'id000007'"],
  ['a record too many', "INSERT INTO records VALUES (1, 'id9', '', '', 1, '', -1, 300, X'7f000001')"],
  ['another hash', "UPDATE domains SET content_hash = '0'"],
])('a zone with %s is damaged, whether small or large', (_, sql) => {
  for (const count of [10, 2500]) {
    database.exec('DELETE FROM records');
    insertRecords(count);
    keepHash();
    expect([...(zones.readZone(name)?.records ?? [])]).toHaveLength(count);
    database.exec(sql);
    expect(() => [...(zones.readZone(name)?.records ?? [])]).toThrow(ZoneDamaged);
  }
});

test.each([
  ['that is not known', 'UPDATE domains SET content_hash = NULL, hashed_serial = NULL'],
  ['that belongs to another serial', 'UPDATE domains SET serial = 6'],
])('a zone with a hash %s is served', (_, sql) => {
  insertRecords(10);
  keepHash();
  database.exec(`${sql}; DELETE FROM records WHERE id = 'id000007'`);
  expect([...(zones.readZone(name)?.records ?? [])]).toHaveLength(9);
});

/** Stores the hash of the records that are there. */
function keepHash(): void {
  const sum = new HashSum();
  const rows = prepareQuery<[string, OwnerKey, number, number, Uint8Array]>(
    database,
    'SELECT id, owner, type, ttl, rdata FROM records',
  );
  for (const [id, owner, type, ttl, rdata] of rows.all()) addRecord(sum, { id, owner, type, ttl, rdata });
  database.prepare('UPDATE domains SET content_hash = ?, hashed_serial = serial').run(sum.toString());
}

/** Returns true if a reader keeps the write-ahead log from being emptied. */
function isLogHeld(): boolean {
  return prepareQuery(database, 'PRAGMA wal_checkpoint(TRUNCATE)').get()?.[0] === 1;
}

/** Spread over seven owners, one of them the apex; the address of each record is its number. */
function insertRecords(count: number, octets = 4): void {
  const insert = database.prepare("INSERT INTO records VALUES (1, ?, ?, '', 1, '', -1, 300, ?)");
  database.exec('BEGIN');
  for (let index = 0; index < count; index++) {
    const rdata = Buffer.alloc(octets);
    rdata.writeUInt32BE(index);
    insert.run(`id${String(index).padStart(6, '0')}`, index % 7 === 0 ? '' : `r${index % 7}`, rdata);
  }
  database.exec('COMMIT');
}
