import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { Author } from '../../writes/command.ts';
import { chooseSeed, seededRandom } from '../../../test/harness/random.ts';
import type { SentCommit } from '../followed-zones.ts';
import { START_MS, START_SECONDS, newId, newKey, newRecord } from '../suite/store-scene.test-support.ts';
import { openStoreFiles, storePath } from './open-store-files.ts';
import { SqliteFeedFollower } from './sqlite-feed-follower.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { StoreLock } from './store-lock.ts';

/* Commits that the writer sends, as the follower applies them or reads the file instead. */

const account = { id: newId(), name: '', email: '', createdAtSeconds: START_SECONDS };
const key = newKey(account.id);
const author: Author = { accountId: account.id, keyId: key.id, atMs: START_MS };
const name = 'example.com' as ZoneName;

let folder: string;
let lock: StoreLock;
let writer: SqliteWriter;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-follower-'));
  const files = openStoreFiles(folder, START_MS);
  lock = files.lock;
  writer = new SqliteWriter(files.path);
  writer.commitBatch([
    { kind: 'createAccount', account, key },
    { kind: 'createDomain', author, name, address: null, nameservers: [] },
  ]);
});
afterEach(() => {
  writer.close();
  lock.release();
  rmSync(folder, { recursive: true });
});

/** A follower that remembers what it serves: the first octets of the records of each owner, and the serial. */
function follow() {
  const lost: string[] = [];
  const follower = new SqliteFeedFollower({
    path: storePath(folder),
    log: silentLog,
    onLost: (reason) => lost.push(reason),
  });
  onTestFinished(() => follower.close());
  const owners = new Map<string, string>();
  let serial = 0;
  const apply = (update: ZoneUpdate): void => {
    if (update.kind !== 'changed') return;
    ({ serial } = update.head);
    for (const { owner, records } of update.owners)
      owners.set(owner, records.map(({ rdata }) => String(rdata)).join(' '));
  };
  follower.onUpdate((updates) => updates.forEach(apply));
  return { follower, lost, served: () => ({ serial, ...Object.fromEntries([...owners].sort()) }) };
}

function create(owner: string, octet: number): SentCommit {
  const { commit } = writer.commitBatch([
    { kind: 'createRecord', author, domain: name, record: newRecord(owner, octet) },
  ]);
  if (commit === undefined) throw new Error('a small commit is sent');
  return commit;
}

/** The same commit with other content, by which it is seen whether it was applied. */
function marked(commit: SentCommit): SentCommit {
  const updates = commit.updates.map((update) => {
    if (update.kind !== 'changed') return update;
    return { ...update, owners: [...update.owners, { ...update.owners[0], owner: 'mark' as never }] };
  });
  return { ...commit, updates };
}

test('the next commit is applied without reading the file', () => {
  const { follower, served } = follow();
  const commit = create('www', 1);
  follower.wake([marked(commit)]);
  expect(served()).toMatchObject({ www: '192,0,2,1', mark: '192,0,2,1' });
  expect(follower.state()).toMatchObject({ seq: commit.lastSeq, feedSeq: commit.lastSeq, lagMs: 0 });
});

test('several commits are one progress, and after a gap the file is read', () => {
  const { follower, served } = follow();
  const seqs: number[] = [];
  follower.onProgress(() => seqs.push(follower.state().seq));
  const commits = [1, 2, 3, 4, 5].map((octet) => create('www', octet));
  follower.wake(commits.slice(0, 2));
  expect(seqs).toEqual([commits[1].lastSeq]);
  follower.wake([commits[2], marked(commits[4])]);
  expect(seqs).toEqual([1, 2, 4].map((at) => commits[at].lastSeq));
  expect(served()).toMatchObject({ www: [1, 2, 3, 4, 5].map((octet) => `192,0,2,${octet}`).join(' ') });
  expect(served()).not.toHaveProperty('mark');
});

test('a commit that was applied or read before changes nothing', () => {
  const { follower, served } = follow();
  const [first, second] = [create('www', 1), create('www', 2)];
  follower.wake([first]);
  follower.wake([second]);
  const before = served();
  follower.wake([marked(first)]);
  follower.wake([marked(second)]);
  const third = create('www', 3);
  follower.wake();
  follower.wake([marked(third)]);
  expect(served()).toEqual({ ...before, www: '192,0,2,1 192,0,2,2 192,0,2,3', serial: before.serial + 1 });
  expect(follower.state().seq).toBe(third.lastSeq);
});

test('a follower that missed a commit reads the file, and takes the next one again', () => {
  const { follower, served } = follow();
  create('lost', 1);
  follower.wake([marked(create('www', 2))]);
  expect(served()).toMatchObject({ lost: '192,0,2,1', www: '192,0,2,2' });
  expect(served()).not.toHaveProperty('mark');
  follower.wake([marked(create('www', 3))]);
  expect(served()).toHaveProperty('mark');
});

test('a commit that begins before the position and ends after it is read from the file', () => {
  const { follower, served } = follow();
  const first = create('a', 1);
  const second = create('b', 2);
  follower.wake([first]);
  follower.wake([marked({ ...second, afterSeq: first.afterSeq })]);
  expect(served()).toMatchObject({ a: '192,0,2,1', b: '192,0,2,2' });
  expect(served()).not.toHaveProperty('mark');
});

test('a commit of another file is read from the own one', () => {
  const { follower, served } = follow();
  follower.wake([marked({ ...create('www', 1), file: 'another' })]);
  expect(served()).toMatchObject({ www: '192,0,2,1' });
  expect(served()).not.toHaveProperty('mark');
});

test('a follower that starts between two commits takes only what it has not read', () => {
  const before = create('old', 1);
  const { follower, served } = follow();
  follower.wake([marked(before)]);
  follower.wake([marked(create('new', 2))]);
  expect(served()).toMatchObject({ new: '192,0,2,2', mark: '192,0,2,2' });
});

test('a commit that arrives while the feed is read in steps waits for the next look at the file', async () => {
  const { follower, served } = follow();
  for (let batch = 0; batch < 5; batch++) {
    const records = Array.from({ length: 500 }, (_, index) => newRecord(`n${batch}-${index}`));
    writer.commitBatch([{ kind: 'importZone', author, domain: name, records, mode: 'merge', soa: null }]);
  }
  follower.wake();
  const { seq } = follower.state();
  const commit = create('late', 1);
  follower.wake([marked({ ...commit, afterSeq: seq })]);
  expect(follower.state().seq).toBe(seq);
  await expect.poll(() => follower.state().seq).toBe(commit.lastSeq);
  expect(served()).toMatchObject({ late: '192,0,2,1' });
  expect(served()).not.toHaveProperty('mark');
});

test('a follower that could not read the file takes no commit before it has read it again', () => {
  const { follower, served } = follow();
  writer.database.exec('ALTER TABLE counters RENAME COLUMN last_seq TO lost_seq');
  follower.wake();
  expect(follower.state().phase).toBe('away');
  writer.database.exec('ALTER TABLE counters RENAME COLUMN lost_seq TO last_seq');
  follower.wake([marked(create('www', 1))]);
  expect(follower.state().phase).toBe('following');
  expect(served()).toMatchObject({ www: '192,0,2,1' });
  expect(served()).not.toHaveProperty('mark');
});

test('a listener that fails on a commit does not stop the feed', () => {
  const { follower, served } = follow();
  follower.onUpdate(() => {
    throw new Error('a bug');
  });
  follower.wake([create('www', 1)]);
  follower.wake([create('www', 2)]);
  expect(served()).toMatchObject({ www: '192,0,2,1 192,0,2,2' });
});

test('whatever is lost, late, repeated or foreign, what is served is what is stored', () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const { follower, lost, served } = follow();
  const [sent, expected]: [SentCommit[], Record<string, string[]>] = [[], {}];
  for (let round = 0; round < 200; round++) {
    const owner = random.pick(['a', 'b', 'c']);
    sent.push(create(owner, round));
    (expected[owner] ??= []).push(`192,0,2,${round}`);
    for (let count = random.below(3); count > 0; count--) {
      const late = sent[Math.max(0, sent.length - 1 - random.below(4))];
      follower.wake(random.pick([[late], sent.slice(-3), [late, late], [{ ...late, file: 'another' }], []]));
    }
  }
  follower.wake(sent.slice(-1));
  const texts = Object.entries(expected).map(([owner, octets]) => [owner, octets.join(' ')]);
  expect(served(), `TEST_SEED=${seed}`).toMatchObject(Object.fromEntries(texts));
  expect([follower.state().seq, lost]).toEqual([sent.at(-1)?.lastSeq, []]);
});
