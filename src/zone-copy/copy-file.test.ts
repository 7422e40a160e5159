import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { openCopyFile } from './copy-file.ts';
import { breakSeal, sealCopy } from './copy-seal.ts';
import { CopyWriter } from './copy-writer.ts';
import { copyTables } from './hashed-tables.ts';
import { overwriteTable } from './overwrite-table.test-support.ts';

let folder: string;
let errors: string[];
const log: Log = { ...silentLog, error: (_, message) => errors.push(message) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-copy-file-'));
  errors = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a copy keeps its id and its position', () => {
  const first = openCopyFile(folder, log);
  const position = { seq: 7, batch: crypto.randomUUID() };
  setPosition(first.path, position);
  expect(openCopyFile(folder, log)).toEqual(first);
  expect(readPosition(first.path)).toEqual(position);
  expect(errors).toEqual([]);
});

test.each([
  ['overwritten', (path: string) => writeFileSync(path, 'no database'.repeat(1000))],
  ['cut off', (path: string) => truncateSync(path, 1000)],
  ['of another version', (path: string) => change(path, 'PRAGMA user_version = 99; DROP TABLE domains')],
  ['of another program', (path: string) => change(path, 'PRAGMA application_id = 99; DROP TABLE domains')],
  ['with a damaged table', (path: string) => overwriteTable(path, 'domains')],
])('a copy %s, from which nothing can be read, is put aside once', (_, spoil) => {
  const { path } = openCopyFile(folder, log);
  setPosition(path, { seq: 7, batch: crypto.randomUUID() });
  spoil(path);
  openCopyFile(folder, log);
  openCopyFile(folder, log);
  expect(errors).toEqual(['nothing can be read from the zone copy; it is put aside']);
  expect(existsSync(`${path}-unusable`)).toBe(true);
  expect(readPosition(path)).toBeNull();
});

test.each([
  ['without a table', (path: string) => change(path, 'DROP TABLE copy')],
  ['without its row', (path: string) => change(path, 'DELETE FROM copy')],
  ['with a damaged id', (path: string) => change(path, "UPDATE copy SET id = substr(id, 2) || 'x'")],
  ['with a damaged table of its position', (path: string) => overwriteTable(path, 'copy')],
])('a copy %s is kept, because zones can be read from it', (_, spoil) => {
  const { path } = openCopyFile(folder, log);
  change(path, "INSERT INTO domains VALUES (1, 'one.example', 1, 1, NULL, NULL, 0, NULL, NULL, '', NULL)");
  setPosition(path, { seq: 7, batch: crypto.randomUUID() });
  spoil(path);
  expect(openCopyFile(folder, log)).toMatchObject({ path, isBroken: true, isProven: false });
  expect(errors).toEqual(['the zone copy is damaged; it is served until it has been made again']);
});

test('a copy of the first version keeps its zones and its id, and is copied again', () => {
  const path = join(folder, 'zone-copy.db');
  const id = crypto.randomUUID();
  change(
    path,
    `CREATE TABLE copy (one INTEGER PRIMARY KEY, id TEXT NOT NULL, seq INTEGER, batch TEXT) STRICT;
     CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source_id INTEGER NOT NULL,
       serial INTEGER NOT NULL, soa_primary TEXT, soa_email TEXT, record_count INTEGER NOT NULL) STRICT;
     CREATE TABLE records (domain_id INTEGER NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, type INTEGER NOT NULL,
       ttl INTEGER NOT NULL, rdata BLOB NOT NULL, PRIMARY KEY (domain_id, id)) STRICT, WITHOUT ROWID;
     CREATE INDEX records_by_owner ON records (domain_id, owner);
     CREATE TABLE deleted_domains (domain_id INTEGER PRIMARY KEY) STRICT;
     INSERT INTO copy VALUES (1, '${id}', 7, 'batch');
     INSERT INTO domains VALUES (1, 'one.example', 1, 1, NULL, NULL, 1);
     INSERT INTO records VALUES (1, 'r', 'www', 1, 300, X'c0000201');
     PRAGMA application_id = 1515083587; PRAGMA user_version = 1`,
  );
  expect(openCopyFile(folder, log)).toMatchObject({ id, isBroken: false, isProven: false });
  expect(readPosition(path)).toBeNull();
  const zones = new SqliteZones(path, copyTables);
  expect([...(zones.readZone('one.example' as ZoneName)?.records ?? [])]).toHaveLength(1);
  zones.close();
  expect(errors).toEqual([]);
});

const noWithheld = 'DROP INDEX domains_withheld; ALTER TABLE domains DROP COLUMN withheld';

test.each([
  ['without withheld domains', `${noWithheld}; PRAGMA user_version = 3`],
  ['without a list of awaited zones', `${noWithheld}; DROP TABLE awaited_zones; PRAGMA user_version = 2`],
])('a copy of an earlier version, %s, goes on from its position', (_, sql) => {
  const { path } = openCopyFile(folder, log);
  const position = { seq: 7, batch: crypto.randomUUID() };
  setPosition(path, position);
  change(path, sql);
  expect(openCopyFile(folder, log)).toMatchObject({ isBroken: false });
  expect([readPosition(path), errors]).toEqual([position, []]);
});

test.each([
  ['closed in order', () => undefined, true],
  ['that was written to', (path: string) => change(path, 'UPDATE copy SET seq = 8'), false],
  ['of another generation', (path: string) => change(path, "UPDATE copy SET generation = 'x'"), false],
  ['with a log', (path: string) => writeFileSync(`${path}-wal`, 'log'), false],
  ['that was copied', (path: string) => (cpSync(path, `${path}2`), renameSync(`${path}2`, path)), false],
  ['without a seal', breakSeal, false],
])('of copies, one %s is proven or not', (_, spoil, isProven) => {
  const { path } = openCopyFile(folder, log);
  const writer = new CopyWriter(path);
  const generation = writer.drawGeneration();
  writer.close();
  sealCopy(path, generation);
  spoil(path);
  expect(openCopyFile(folder, log).isProven).toBe(isProven);
});

test('a copy without tables gets them, without a warning', () => {
  writeFileSync(join(folder, 'zone-copy.db'), '');
  expect(readPosition(openCopyFile(folder, log).path)).toBeNull();
  expect(errors).toEqual([]);
});

function setPosition(path: string, position: CopyWriter['position']): void {
  const writer = new CopyWriter(path);
  writer.setPosition(position);
  writer.close();
}

function readPosition(path: string): CopyWriter['position'] {
  const writer = new CopyWriter(path);
  writer.close();
  return writer.position;
}

function change(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}
