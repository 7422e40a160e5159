import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import type { Author, Command } from '../../writes/command.ts';
import { newId, newKey, newRecord, START_MS, START_SECONDS } from '../suite/store-scene.test-support.ts';
import { openStoreFiles } from './open-store-files.ts';
import { prepareQuery } from './sqlite-driver.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { StoreLock } from './store-lock.ts';
import { createZoneHashing } from './zone-hashing.ts';

const account = { id: newId(), name: '', email: '', createdAtSeconds: START_SECONDS };
const key = newKey(account.id);
const author: Author = { accountId: account.id, keyId: key.id, atMs: START_MS };
const domains = Array.from({ length: 300 }, (_, number) => `d${number}.example` as ZoneName);

let folder: string;
let lock: StoreLock;
let writer: SqliteWriter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-hashing-'));
  const files = openStoreFiles(folder, START_MS);
  lock = files.lock;
  writer = new SqliteWriter(files.path);
  writer.commitBatch([
    { kind: 'createAccount', account, key },
    ...domains.map((name): Command => ({
      kind: 'createDomain',
      author,
      name,
      address: null,
      nameservers: [],
    })),
  ]);
  writer.commitBatch(domains.map((domain) => createRecord(domain, 'www')));
});

afterEach(() => {
  writer.close();
  lock.release();
  rmSync(folder, { recursive: true });
});

test('a slice hashes many small domains, and a part of a large one', () => {
  writer.commitBatch(Array.from({ length: 1200 }, (_, number) => createRecord(domains[7], `r${number}`)));
  const before = hashes();
  forgetHashes();
  const hashing = createZoneHashing(writer.database);
  const known: number[] = [];
  while (writer.inTransaction(() => hashing.runSlice()))
    known.push(hashes().filter((hash) => hash !== null).length);
  expect(hashes()).toEqual(before);
  expect(known.length).toBeGreaterThanOrEqual(4);
  expect(known.length).toBeLessThan(10);
});

test('a domain that changes or is deleted between two slices holds up no other one', () => {
  const large = domains[299];
  writer.commitBatch(Array.from({ length: 1200 }, (_, number) => createRecord(large, `r${number}`)));
  forgetHashes();
  const hashing = createZoneHashing(writer.database);
  for (let slice = 0; slice < 2; slice++) writer.inTransaction(() => hashing.runSlice());
  writer.commitBatch([
    createRecord(large, 'mail'),
    createRecord(domains[3], 'mail'),
    { kind: 'deleteDomain', author, name: domains[4] },
  ]);
  while (writer.inTransaction(() => hashing.runSlice()));
  const found = hashes();
  expect(found).not.toContain(null);
  forgetHashes();
  const again = createZoneHashing(writer.database);
  while (writer.inTransaction(() => again.runSlice()));
  expect(hashes()).toEqual(found);
});

test('domains are found whatever gaps their ids have', () => {
  const before = hashes();
  writer.database.exec(`UPDATE domains SET id = id + 20000 WHERE id > 200;
    UPDATE records SET domain_id = domain_id + 20000 WHERE domain_id > 200`);
  forgetHashes();
  const hashing = createZoneHashing(writer.database);
  while (writer.inTransaction(() => hashing.runSlice()));
  expect(hashes()).toEqual(before);
  expect(before).not.toContain(null);
});

function createRecord(domain: ZoneName, name: string): Command {
  return { kind: 'createRecord', author, domain, record: newRecord(name) };
}

function forgetHashes(): void {
  writer.database.exec('UPDATE domains SET content_hash = NULL, hashed_serial = NULL');
}

function hashes(): (string | null)[] {
  return prepareQuery<[string | null]>(writer.database, 'SELECT content_hash FROM domains ORDER BY id')
    .all()
    .map(([hash]) => hash);
}
