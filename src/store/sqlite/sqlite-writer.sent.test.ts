import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { finishSteps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { Author, Command } from '../../writes/command.ts';
import { MAX_SERVED_ENTRIES } from '../../writes/served-updates.ts';
import { chooseSeed, seededRandom, type Random } from '../../../test/harness/random.ts';
import { START_MS, START_SECONDS, newId, newKey, newRecord } from '../suite/store-scene.test-support.ts';
import { decodeCommit, encodeCommit } from './commit-message.ts';
import { FeedConnection } from './feed-connection.ts';
import { fileIdentity } from './file-identity.ts';
import { openStoreFiles } from './open-store-files.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { touchedZones } from './touched-zones.ts';

const account = { id: newId(), name: '', email: '', createdAtSeconds: START_SECONDS };
const key = newKey(account.id);
const author: Author = { accountId: account.id, keyId: key.id, atMs: START_MS };
const rules = { txtLimitBytes: 1000, defaultTtlSeconds: null };
const domains = ['a.example', 'b.example'] as ZoneName[];
const BATCHES = 150;

function openStore() {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-sent-'));
  const { path, lock } = openStoreFiles(folder, START_MS);
  const writer = new SqliteWriter(path);
  const feed = FeedConnection.open(path);
  onTestFinished(() => {
    feed?.close();
    writer.close();
    lock.release();
    rmSync(folder, { recursive: true });
  });
  writer.commitBatch([{ kind: 'createAccount', account, key }, ...domains.map(createDomain)]);
  return { path, writer, read: (after: number, upTo: number) => feed && readUpdates(feed, after, upTo) };
}

function readUpdates(feed: FeedConnection, after: number, upTo: number): ZoneUpdate[] {
  return feed.inSnapshot(() => {
    const touched = finishSteps(touchedZones(feed, after, upTo)) ?? [];
    return touched.flatMap((zone) => feed.updatesOf(zone));
  });
}

function createDomain(name: ZoneName): Command {
  return { kind: 'createDomain', author, name, address: null, nameservers: [] };
}

function createRecord(domain: ZoneName, owner: string, fields = {}): Command {
  return { kind: 'createRecord', author, domain, record: newRecord(owner, 1, fields) };
}

test('what is sent of a commit is what reading the feed finds', () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const { path, writer, read } = openStore();
  const ids: string[] = [];
  let sent = 0;
  let before = domains.length;
  for (let batch = 0; batch < BATCHES; batch++) {
    const commands = Array.from({ length: 1 + random.below(6) }, () => randomCommand(random, ids));
    const { lastSeq, commit } = writer.commitBatch(commands);
    if (lastSeq === null) continue;
    const octets = commit && encodeCommit(commit);
    if (octets !== undefined) {
      sent++;
      const found = { file: fileIdentity(path), afterSeq: before, lastSeq, updates: read(before, lastSeq) };
      expect(decodeCommit(octets), `TEST_SEED=${seed}`).toEqual(found);
    }
    before = lastSeq;
  }
  expect(sent).toBeGreaterThan(BATCHES / 4);
});

function randomCommand(random: Random, ids: string[]): Command {
  const domain = random.pick(domains);
  const owner = random.pick(['', 'www', 'mail', '*.deep', 'www.deep']);
  const record = newRecord(owner, random.below(200), { ttl: 60 + random.below(3) });
  const recordId = ids.length > 0 ? random.pick(ids) : record.id;
  ids.push(record.id);
  const patch = random.pick([{ ttl: 30 }, { name: owner }, { data: `192.0.2.${random.below(200)}` }]);
  const changes = { deletes: [recordId], updates: [], creates: [record, newRecord(owner, 201)] };
  return random.pick<Command>([
    { kind: 'createRecord', author, domain, record },
    { kind: 'createRecord', author, domain, record },
    { kind: 'updateRecord', author, domain, recordId, patch, rules },
    { kind: 'deleteRecord', author, domain, recordId },
    { kind: 'changeRecords', author, domain, changes, rules },
    { kind: 'importZone', author, domain, records: [record], mode: 'merge', soa: null },
    { kind: 'updateDomain', author, name: domain, soaEmail: `a${random.below(9)}@example.net` },
  ]);
}

test.each<[string, readonly Command[]]>([
  ['creates a domain', [createDomain('c.example' as ZoneName)]],
  ['deletes a domain', [{ kind: 'deleteDomain', author, name: domains[0] }]],
  [
    'restores a domain',
    [
      { kind: 'deleteDomain', author, name: domains[0] },
      { kind: 'restoreDomain', author, name: domains[0] },
    ],
  ],
  [
    'changes very much',
    Array.from({ length: MAX_SERVED_ENTRIES + 1 }, (_, index) => createRecord(domains[0], `n${index}`)),
  ],
  [
    'has a command that is a bug',
    [createRecord(domains[0], 'ok'), createRecord(domains[0], 'bug', { ttl: null, type: null })],
  ],
])('a commit is not sent if it %s', (_, commands) => {
  const { lastSeq, commit } = openStore().writer.commitBatch(commands);
  expect(lastSeq).toBeGreaterThan(domains.length);
  expect(commit).toBeUndefined();
});

test('a batch that writes nothing, or no record, is not sent', () => {
  const { writer } = openStore();
  expect(writer.commitBatch([{ kind: 'createKey', author, key: newKey(account.id) }]).commit).toBeUndefined();
  expect(
    writer.commitBatch([{ kind: 'deleteRecord', author, domain: domains[0], recordId: 'x' }]).commit,
  ).toBeUndefined();
});
