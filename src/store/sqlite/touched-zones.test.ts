import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finishSteps } from '../../base/steps.ts';
import { MAX_UPDATED_OWNERS } from '../../writes/zone-replacement.ts';
import { FeedConnection } from './feed-connection.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';
import { touchedZones, type FeedRows } from './touched-zones.ts';

let folder: string;
let path: string;
let database: SqliteDatabase;
let lastSeq: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-touched-'));
  const files = openStoreFiles(folder, 0);
  path = files.path;
  database = openDatabase(path);
  database.exec(
    "INSERT INTO accounts (id, name, email, created_at, domain_count, key_count) VALUES ('account', '', '', 0, 9, 1)",
  );
  lastSeq = 0;
  files.lock.release();
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function putDomain(id: number, recordCount: number): void {
  const name = `d${id}.example`;
  database.exec(
    `INSERT INTO domains (id, account_id, name, created_at, serial, record_count, octets)
     VALUES (${id}, 'account', '${name}', 0, 5, ${recordCount}, 0)`,
  );
}

/** Adds changes of a domain to the feed. */
function change(id: number, count: number, kind = 'recordPut'): void {
  const add = database.prepare(
    `INSERT INTO changes (seq, at, kind, domain_id, domain, serial, key_id, owner)
     VALUES (?, 1, ?, ?, ?, 5, 'key', ?)`,
  );
  database.exec('BEGIN');
  for (let i = 0; i < count; i++)
    add.run(++lastSeq, kind, id, `d${id % 10}.example`, kind === 'domainDelete' ? null : `n${i}`);
  database.exec('COMMIT');
}

/** Adds changes of generated rows, at so many owners, to the feed. */
function generate(id: number, count: number, owner = (i: number): string => `n${i}`): void {
  const add = database.prepare(
    `INSERT INTO changes (seq, at, kind, domain_id, domain, serial, key_id, owner, record_id)
     VALUES (?, 1, 'recordPut', ?, ?, 5, 'key', ?, ?)`,
  );
  database.exec('BEGIN');
  for (let i = 0; i < count; i++) add.run(++lastSeq, id, `d${id}.example`, owner(i), `~s!${owner(i)}`);
  database.exec('COMMIT');
}

/** The updates that the whole feed leads to, and the number of changes that were read for them. */
function follow(seqOfLater?: FeedRows['seqOfLater']) {
  const feed = FeedConnection.open(path);
  if (feed === undefined) throw new Error('there is no store');
  let read = 0;
  const rows: FeedRows = {
    changes: (after, limit) => {
      const found = feed.changes(after, limit);
      read += found.length;
      return found;
    },
    seqOfLater: seqOfLater ?? ((...asked) => feed.seqOfLater(...asked)),
    isReplacedBy: (...asked) => feed.isReplacedBy(...asked),
  };
  const touched = finishSteps(touchedZones(rows, 0, lastSeq));
  const updates = touched?.flatMap((zone) => feed.updatesOf(zone));
  feed.close();
  return { updates, read };
}

/** Follows the feed, and compares with what comes out if nothing is skipped. */
function followCompared() {
  const followed = follow();
  expect(followed.updates).toEqual(follow(() => undefined).updates);
  return followed;
}

test('the changes of a replaced zone are not read to their end, and those of others are', () => {
  putDomain(1, 100_000);
  putDomain(2, 3);
  change(2, 2);
  change(1, 100_000);
  change(2, 3);
  const { updates, read } = followCompared();
  expect(updates?.map(({ kind }) => kind)).toEqual(['changed', 'replaced']);
  expect(read).toBeLessThan(20_000);
});

describe('generated rows', () => {
  test('of a zone that is not signed are no change of it, except at its apex', () => {
    putDomain(1, 100_000);
    generate(1, 30_000);
    generate(1, 1, () => '');
    change(1, 2);
    const { updates } = followCompared();
    expect(updates).toMatchObject([
      { kind: 'changed', owners: [{ owner: 'n0' }, { owner: 'n1' }, { owner: '' }] },
    ]);
  });

  test('of a signed zone change what is served', () => {
    putDomain(1, 100_000);
    database.exec(
      `INSERT INTO records (domain_id, id, owner, name, type, data, priority, ttl, rdata)
       VALUES (1, '~s', '', '', 200, '', -1, 0, x'01')`,
    );
    generate(1, 2);
    expect(followCompared().updates).toMatchObject([
      { kind: 'changed', owners: [{ owner: 'n0' }, { owner: 'n1' }] },
    ]);
  });
});

test('a zone of which a small part has changed is not replaced, however many changes there are', () => {
  putDomain(1, 1_000_000);
  change(1, MAX_UPDATED_OWNERS * 4);
  const { updates, read } = followCompared();
  expect(updates).toMatchObject([{ kind: 'changed', owners: { length: MAX_UPDATED_OWNERS * 4 } }]);
  expect(read).toBe(lastSeq);
});

test.each([20_000, 20_001, 34_000, 36_000])(
  'the deletion of a domain is seen after %i changes, and so is another domain of that name',
  (count) => {
    change(1, count);
    change(1, 1, 'domainDelete');
    expect(followCompared().updates).toEqual([{ kind: 'deleted', domainId: 1, name: 'd1.example' }]);
    putDomain(2, 1);
    change(2, 1);
    database.exec("UPDATE domains SET name = 'd1.example' WHERE id = 2");
    database.exec("UPDATE changes SET domain = 'd1.example' WHERE domain_id = 2");
    expect(followCompared().updates).toMatchObject([
      { kind: 'deleted', domainId: 1 },
      { kind: 'changed', head: { domainId: 2 } },
    ]);
  },
);

test.each([20_000, 20_001, 34_000])(
  'a domain that is deleted and restored between %i changes is read as a whole',
  (count) => {
    putDomain(1, count);
    change(1, count);
    change(1, 1, 'domainDelete');
    change(1, 1, 'domainRestore');
    change(1, count);
    expect(followCompared().updates).toMatchObject([{ kind: 'replaced', head: { domainId: 1 } }]);
  },
);

test('changes that are interrupted by those of other domains are all read', () => {
  putDomain(1, 10_000);
  putDomain(2, 10_000);
  for (let round = 0; round < 20; round++) {
    change(1, 500 + round);
    change(2, 500);
  }
  change(2, 9000);
  followCompared();
});

test('if the index of changes is damaged, all changes are read', () => {
  putDomain(1, 10_000);
  change(1, 9000);
  const { updates, read } = follow(() => {
    throw Object.assign(new Error('damaged'), { code: 'ERR_SQLITE_ERROR', errcode: 11 });
  });
  expect([updates, read]).toEqual([follow().updates, 9000]);
});

test('a feed that no longer reaches back is not followed', () => {
  putDomain(1, 10_000);
  change(1, 9000);
  database.exec('DELETE FROM changes WHERE seq <= 3');
  expect(follow().updates).toBeUndefined();
});
