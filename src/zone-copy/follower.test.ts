import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { openFeedReader, type FeedReader, type FeedSnapshot } from '../store/postgres/feed-reader.ts';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import type { ZoneSource } from '../store/store.ts';
import { isDamage, openCopyFile } from './copy-file.ts';
import { CopyChecks } from './copy-checks.ts';
import { RECORDS_AT_ONCE } from './copy-snapshot.ts';
import { CopyWriter } from './copy-writer.ts';
import { copyTables } from './hashed-tables.ts';
import type { FollowerProgress } from './follower-messages.ts';
import { Follower, type Feed } from './follower.ts';
import { overwriteTable } from './overwrite-table.test-support.ts';
import {
  replay,
  servedBy,
  until,
  zoneName,
  ZoneDatabase,
  type Served,
  type Step,
} from './zone-database.test-support.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

let folder: string;
let path: string;
let database: ZoneDatabase;
let reader: FeedReader;
let copy: CopyWriter;
let zones: SqliteZones;
let life: Life;

beforeAll(async () => {
  database = await ZoneDatabase.create(inject('postgresUrl'));
  return () => database.remove();
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-follower-'));
  path = openCopyFile(folder, silentLog).path;
  await database.clear();
  reader = openFeedReader({
    address: database.address,
    clock: systemClock,
    log: silentLog,
    onWake: () => life.follower.wake(),
  });
  copy = new CopyWriter(path);
  zones = new SqliteZones(path, copyTables);
  life = follow(reader);
});

afterEach(async () => {
  await life.end();
  await reader.close();
  zones.close();
  copy.close();
  rmSync(folder, { recursive: true });
});

describe('following the feed', () => {
  test.each<[string, ...Step[][]]>([
    [
      'a domain is created with a record',
      [
        ['create', 'a.example'],
        ['put', 'a.example', 'www', 1],
      ],
    ],
    [
      'records are added and removed at one owner',
      [['put', 'one.example', 'www', 7]],
      [['drop', 'one.example', 'www', 1]],
    ],
    [
      'a record is changed by a delete and a put',
      [
        ['drop', 'one.example', 'www', 1],
        ['put', 'one.example', 'mail', 1],
      ],
    ],
    ['only the head changes', [['touch', 'one.example']]],
    ['a domain is deleted', [['delete', 'one.example']]],
    [
      'a domain is deleted and created again in one batch',
      [
        ['delete', 'one.example'],
        ['create', 'one.example'],
        ['put', 'one.example', 'www', 1],
      ],
    ],
    [
      'a domain is created and deleted in one batch',
      [
        ['create', 'b.example'],
        ['delete', 'b.example'],
      ],
    ],
    [
      'a domain is created, deleted and created in one batch',
      [
        ['create', 'b.example'],
        ['put', 'b.example', 'x', 1],
        ['delete', 'b.example'],
        ['create', 'b.example'],
      ],
    ],
    ['a domain is withheld', [['withhold', 'one.example']]],
    [
      'a domain is withheld, and written to',
      [
        ['put', 'one.example', 'mail', 7],
        ['withhold', 'one.example'],
        ['put', 'one.example', 'mail', 8],
      ],
      [['drop', 'one.example', 'www', 1]],
      [['touch', 'one.example']],
    ],
    [
      'a domain is created and withheld in one batch, and deleted',
      [
        ['create', 'b.example'],
        ['withhold', 'b.example'],
        ['put', 'b.example', 'x', 1],
      ],
      [['delete', 'b.example']],
    ],
    [
      'a domain is withheld and released in one batch',
      [
        ['withhold', 'one.example'],
        ['put', 'one.example', 'x', 7],
        ['release', 'one.example'],
      ],
    ],
    ['a batch writes nothing into the feed', []],
  ])('%s', async (_, ...batches) => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await database.write(['create', 'two.example'], ['put', 'two.example', '', 2]);
    await caughtUp();
    const before = servedBy(source());
    life.updates.length = 0;
    for (const steps of batches) await database.write(...steps);
    await caughtUp();
    await expectEqual(before);
    expect(life.kinds()).not.toContain('replaced');
  });

  test('a released domain is served with what was written to it meanwhile, and read as a whole', async () => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await database.write(['withhold', 'one.example']);
    await caughtUp();
    const before = servedBy(source());
    expect([before, zones.hostedCount(), zones.hosts(zoneName('one.example'))]).toEqual([{}, 0, false]);
    await database.write(['put', 'one.example', 'mail', 2]);
    await database.write(['put', 'one.example', 'late', 3], ['release', 'one.example']);
    await caughtUp();
    await expectEqual(before);
    expect(life.kinds().at(-1)).toBe('replaced');
    expect(count('deleted_domains')).toBe(0);
  });

  test('the copy of a withheld domain proves itself, and is repaired like any other', async () => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await database.write(['withhold', 'one.example']);
    await caughtUp();
    const hash = rows('SELECT zone_hash FROM domains');
    rows('UPDATE domains SET withheld = NULL RETURNING 1');
    expect(() => zones.readZone(zoneName('one.example'))).toThrow(ZoneDamaged);
    rows('UPDATE domains SET withheld = 1 RETURNING 1');
    rows("UPDATE records SET ttl = 301 WHERE owner = 'www' RETURNING 1");
    expect(() => zones.readStored(zoneName('one.example'))?.records).toThrow(ZoneDamaged);
    await database.write(['put', 'one.example', 'mail', 2]);
    await caughtUp();
    await database.write(['release', 'one.example']);
    await caughtUp();
    await until(() => servedBy(source())['one.example'].length === 3);
    await expectEqual({});
    expect(rows('SELECT zone_hash FROM domains')).not.toEqual(hash);
  });

  test('changes made in the meantime arrive in whole batches, however many', async () => {
    await database.write(['create', 'one.example']);
    await caughtUp();
    await life.end();
    const before = servedBy(source());
    for (let batch = 0; batch < 12; batch++) {
      const octets = Array.from({ length: 200 }, (_, index) => index);
      const kind = batch % 2 === 0 ? 'put' : 'drop';
      await database.write(...octets.map((octet): Step => [kind, 'one.example', `r${octet % 9}`, octet]));
    }
    life = follow(reader);
    await caughtUp();
    await expectEqual(before);
    expect(life.progress.map(({ seq }) => (seq - 1) % 200)).toEqual(life.progress.map(() => 0));
  });

  test('a zone counts for the account of its domain, whichever version wrote it and however it was copied', async () => {
    const account = (): string => zones.accountOf(zoneName('one.example'));
    // As a process of an earlier version writes it.
    await database.write(['create', 'one.example']);
    await caughtUp();
    expect(account()).toBe('a');
    await database.write(['touch', 'one.example'], ['put', 'one.example', 'www', 1]);
    await caughtUp();
    expect(account()).toBe('a');
    await database.sql("INSERT INTO accounts VALUES ('b', '', '', 0, 0, 0)");
    await database.sql("UPDATE domains SET account_id = 'b'");
    copy.setPosition(null);
    await until(() => account() === 'b');
  });

  test('records of a deleted domain are purged later', async () => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await caughtUp();
    await database.write(['delete', 'one.example']);
    await until(() => count('records') + count('deleted_domains') === 0);
  });

  test('a copy that does not fit the feed is copied again', async () => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await caughtUp();
    rows('DELETE FROM records');
    await database.write(['drop', 'one.example', 'www', 1]);
    await caughtUp();
    await expectEqual({});
    expect(life.progress.map(({ phase }) => phase)).toContain('copying');
  });
});

test('an unknown kind of change is reported once, and the copy is still served', async () => {
  await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
  await caughtUp();
  await life.end();
  const before = servedBy(source());
  const warn = vi.fn();
  let reads = 0;
  const counting: Feed = {
    read: (position, maxChanges) => (reads++, reader.read(position, maxChanges)),
    snapshot: () => Promise.reject(new Error('there is nothing to copy again')),
  };
  await database.write(['drop', 'one.example', 'www', 1]);
  await database.sql("UPDATE changes SET kind = 'recordMove' WHERE kind = 'recordDelete'");
  life = follow(counting, { ...silentLog, warn });
  await until(() => reads > 2);
  expect(servedBy(source())).toEqual(before);
  expect(warn.mock.calls).toMatchObject([
    [
      { reason: expect.stringContaining('does not know change 3 (recordMove in one.example)') as string },
      'the database cannot be followed; zones are served from the copy',
    ],
  ]);
});

test('the follower ends if the copy is damaged', async () => {
  await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
  await caughtUp();
  await life.end();
  copy.close();
  zones.close();
  overwriteTable(path, 'records');
  copy = new CopyWriter(path);
  zones = new SqliteZones(path, copyTables);
  await database.write(['put', 'one.example', 'www', 2]);
  const publish = (): Promise<void> => Promise.resolve();
  const follower = new Follower({ feed: reader, copy, checks: newChecks(), publish, log: silentLog });
  await expect(follower.run()).rejects.toSatisfy(isDamage);
});

describe('copying a snapshot', () => {
  test('an empty database leaves an empty copy that follows', async () => {
    await until(() => life.progress.at(-1)?.phase === 'following');
    expect(life.progress.at(-1)).toMatchObject({ phase: 'following', seq: 0, feedSeq: 0 });
  });

  test('an empty database removes nothing from a copy with zones', async () => {
    await database.write(['create', 'kept.example'], ['put', 'kept.example', 'www', 1]);
    await caughtUp();
    await life.end();
    const before = servedBy(source());
    await database.clear();
    life = follow(reader);
    await until(() => life.progress.some(({ phase }) => phase === 'away'));
    expect(servedBy(source())).toEqual(before);
    await database.write(['create', 'new.example']);
    await caughtUp();
    expect(life.names()).toEqual(['kept.example', 'new.example']);
  });

  test('after lost history only differences are replaced', async () => {
    const names = ['changed', 'deleted', 'head', 'same', 'soon'].map((label) => `${label}.example`);
    for (const name of names) await database.write(['create', name], ['put', name, 'www', 1]);
    await caughtUp();
    await life.end();
    const before = servedBy(source());
    await database.write(['put', 'changed.example', 'mail', 2]);
    await database.write(['delete', 'deleted.example']);
    await database.write(['touch', 'head.example']);
    await database.write(['create', 'new.example']);
    await database.write(['delete', 'soon.example']);
    await database.write(['create', 'soon.example'], ['put', 'soon.example', 'www', 1]);
    await database.prune();
    life = follow(reader);
    await caughtUp();
    await expectEqual(before);
    expect(life.names()).toEqual(['changed', 'deleted', 'head', 'new'].map((label) => `${label}.example`));
  });

  test.each([
    ['withheld', 'withhold', ['deleted']],
    ['released', 'release', ['replaced']],
  ] as const)('after lost history a domain that was %s meanwhile is so', async (_, kind, kinds) => {
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    if (kind === 'release') await database.write(['withhold', 'one.example']);
    await caughtUp();
    await life.end();
    const before = servedBy(source());
    await database.write([kind, 'one.example']);
    await database.prune();
    life = follow(reader);
    await caughtUp();
    await expectEqual(before);
    expect(life.kinds()).toEqual(kinds);
    await life.end();
    life = follow(reader);
    copy.setPosition(null);
    await caughtUp();
    expect(life.updates).toEqual([]);
  });

  test('writes lost in a failover are undone, even with the same serials, ids and names', async () => {
    await database.write(['create', 'a.example'], ['put', 'a.example', 'www', 1]);
    await database.write(['create', 'm.example'], ['put', 'm.example', 'www', 1]);
    await caughtUp();
    await loseLastBatch(
      ['put', 'a.example', 'lost', 2],
      ['create', 'z.example'],
      ['put', 'z.example', 'www', 3],
    );
    const before = servedBy(source());
    // The same seqs, the same serial of a.example, the same id for another name.
    await database.write(
      ['put', 'a.example', 'won', 4],
      ['create', 'b.example'],
      ['put', 'b.example', 'www', 5],
    );
    life = follow(reader);
    await caughtUp();
    await expectEqual(before);
    expect(life.names()).toEqual(['a.example', 'b.example', 'z.example']);
  });

  test.each([0, RECORDS_AT_ONCE - 1, RECORDS_AT_ONCE, RECORDS_AT_ONCE + 1, 2 * RECORDS_AT_ONCE])(
    'a domain of %i records among small ones is copied completely, and only once',
    async (size) => {
      await life.end();
      await database.write(...['a', 'b', 'c'].map((label): Step => ['create', `${label}.example`]));
      await database.write(['put', 'a.example', 'www', 1], ['put', 'c.example', 'www', 1]);
      await database.fill('b.example', size);
      life = follow(reader);
      copy.setPosition(null);
      await caughtUp();
      await expectEqual({});
      const copied = rows('SELECT domain_id, count(*) FROM records GROUP BY domain_id');
      await life.end();
      life = follow(reader);
      copy.setPosition(null);
      await caughtUp();
      expect(life.updates).toEqual([]);
      expect(rows('SELECT domain_id, count(*) FROM records GROUP BY domain_id')).toEqual(copied);
    },
  );

  test('a large domain shows its old content until copied completely, and an interrupted copy restarts', async () => {
    const size = 2 * RECORDS_AT_ONCE + 5;
    await database.write(['create', 'large.example'], ['create', 'other.example']);
    await caughtUp();
    await life.end();
    const before = servedBy(source());
    await database.fill('large.example', size);
    await database.write(['touch', 'large.example']);
    await database.prune();
    const seen: number[] = [];
    let reads = 0;
    life = follow(
      breaking(() => {
        seen.push(servedBy(source())['large.example'].length);
        reads++;
        return reads === 4;
      }),
    );
    await until(() => reads >= 4);
    await life.end();
    expect(copy.position).toBeNull();
    expect(count('deleted_domains')).toBe(1);
    reopen();
    life = follow(reader);
    await caughtUp();
    await until(() => count('deleted_domains') === 0);
    await expectEqual(before);
    expect(new Set(seen)).toEqual(new Set([1]));
    expect(count('records')).toBe(size);
  });
});

/** A running follower and its reports. */
interface Life {
  readonly follower: Follower;
  readonly checks: CopyChecks;
  readonly updates: ZoneUpdate[];
  readonly progress: FollowerProgress[];
  kinds(): string[];
  /** Each update once, in order. */
  names(): string[];
  end(): Promise<void>;
}

function follow(feed: Feed, log = silentLog): Life {
  const updates: ZoneUpdate[] = [];
  const progress: FollowerProgress[] = [];
  const publish = (now: FollowerProgress, made: readonly ZoneUpdate[]): Promise<void> => {
    updates.push(...made);
    progress.push(now);
    return Promise.resolve();
  };
  const checks = newChecks();
  const follower = new Follower({ feed, copy, checks, publish, log });
  const running = follower.run();
  const names = () => updates.map((update) => (update.kind === 'deleted' ? update.name : update.head.name));
  return {
    follower,
    checks,
    updates,
    progress,
    kinds: () => updates.map(({ kind }) => kind),
    names: () => [...new Set(names())].sort(),
    async end() {
      follower.close();
      await running;
      checks.close();
    },
  };
}

function newChecks(): CopyChecks {
  return new CopyChecks({ copied: copy.zones, zones, isProven: false, log: silentLog });
}

/** Wraps a reader so that reading records of a snapshot can be made to fail. */
function breaking(isBroken: () => boolean): Feed {
  const breakingSnapshot = (snapshot: FeedSnapshot): FeedSnapshot => ({
    position: snapshot.position,
    domainsAfter: (name, limit) => snapshot.domainsAfter(name, limit),
    domainsNamed: (names) => snapshot.domainsNamed(names),
    recordsOf: (ids, after, limit) =>
      isBroken() ? Promise.reject(new StoreUnavailable('broken off')) : snapshot.recordsOf(ids, after, limit),
  });
  return {
    read: (position, maxChanges) => reader.read(position, maxChanges),
    snapshot: (use) => reader.snapshot((snapshot) => use(breakingSnapshot(snapshot))),
  };
}

/** Undoes a batch that the promoted standby never had. */
async function loseLastBatch(...steps: Step[]): Promise<void> {
  await database.sql('DROP SCHEMA IF EXISTS standby CASCADE');
  await database.sql('CREATE SCHEMA standby');
  for (const table of ['counters', 'domains', 'records', 'changes', 'batches'])
    await database.sql(`CREATE TABLE standby.${table} AS TABLE public.${table}`);
  await database.write(...steps);
  await caughtUp();
  await life.end();
  for (const table of ['counters', 'domains', 'records', 'changes', 'batches']) {
    await database.sql(`DELETE FROM public.${table}`);
    await database.sql(`INSERT INTO public.${table} TABLE standby.${table}`);
  }
}

function reopen(): void {
  copy.close();
  copy = new CopyWriter(path);
}

async function caughtUp(): Promise<void> {
  const seq = await database.lastSeq();
  await until(() => {
    const last = life.progress.at(-1);
    return last?.seq === seq && last.phase === 'following';
  });
}

/** Expects that the copy, and a reader that applied the updates to `before`, serve the content of the database. */
async function expectEqual(before: Served): Promise<void> {
  const there = await database.served();
  expect(servedBy(source())).toEqual(there);
  expect(replay(before, life.updates, source())).toEqual(there);
}

function source(): ZoneSource {
  return {
    onUpdate: () => undefined,
    readZone: (name) => zones.readZone(name),
    accountOf: (name) => zones.accountOf(name),
    hostedCount: () => zones.hostedCount(),
    hostedNames: (after, limit) => zones.hostedNames(after, limit),
  };
}

function count(table: string): number {
  return rows<[number]>(`SELECT count(*) FROM ${table}`)[0][0];
}

function rows<Row extends readonly (string | number)[]>(sql: string): Row[] {
  const connection = openDatabase(path);
  try {
    return prepareQuery<Row>(connection, sql).all();
  } finally {
    connection.close();
  }
}
