import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { openFeedReader, type FeedReader, type FeedSnapshot } from '../store/postgres/feed-reader.ts';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { CopyChecks } from './copy-checks.ts';
import { openCopyFile } from './copy-file.ts';
import { CopyWriter } from './copy-writer.ts';
import { Follower, MAX_APPLIED_RUN, type Feed, type FollowerOptions } from './follower.ts';
import type { FollowerProgress } from './follower-messages.ts';
import { copyTables } from './hashed-tables.ts';
import { servedBy, until, ZoneDatabase, type Step } from './zone-database.test-support.ts';

const LARGE = MAX_APPLIED_RUN + 1000;

let folder: string;
let path: string;
let database: ZoneDatabase;
let reader: FeedReader;
let copy: CopyWriter;
let zones: SqliteZones;
let follower: Follower;
let running: Promise<void>;
const updates: ZoneUpdate[] = [];
let progress: FollowerProgress | undefined;
/** Called before each page of a zone that is not read quickly. */
let beforePage: () => Promise<void>;
let releasePages = (): void => undefined;
let beforeSnapshot: () => Promise<void>;
/** Called before the feed is read. */
let beforeRead: () => Promise<void>;
/** Snapshots from which a zone was read that is not read quickly. */
let snapshots: number;
/** How often domains were sought by name in a snapshot. */
let named: number;
/** How often domains were listed, to copy all of them. */
let walks: number;

beforeAll(async () => {
  database = await ZoneDatabase.create(inject('postgresUrl'));
  return () => database.remove();
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-awaited-'));
  path = openCopyFile(folder, silentLog).path;
  await database.clear();
  reader = openFeedReader({
    address: database.address,
    clock: systemClock,
    log: silentLog,
    onWake: () => follower.wake(),
  });
  beforePage = () => Promise.resolve();
  beforeSnapshot = () => Promise.resolve();
  beforeRead = () => Promise.resolve();
  open();
  await database.write(['create', 'large.example'], ['put', 'large.example', 'www', 1]);
  await database.write(['create', 'small.example'], ['put', 'small.example', 'www', 1]);
  await caughtUp();
  updates.length = 0;
  snapshots = 0;
  named = 0;
  walks = 0;
});

afterEach(async () => {
  await close();
  await reader.close();
  rmSync(folder, { recursive: true });
});

describe('a change of more entries than are applied', () => {
  test('does not hold up another zone, and shows its own one when it is whole', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await database.write(['put', 'small.example', 'mail', 2]);
    await caughtUp();
    expect(lines('small.example')).toHaveLength(3);
    expect(lines('large.example')).toEqual(['1', 'www 300 1 c0000201']);
    expect(progress?.awaited).toEqual([{ name: 'large.example', serial: 1 }]);
    expect(names()).toEqual(['small.example']);
    release();
    await shown();
    await expectEqual();
    expect(updates.at(-1)).toMatchObject({ kind: 'replaced', head: { name: 'large.example', serial: 2 } });
    await until(() => rows('SELECT count(*) FROM deleted_domains')[0] === 0);
    expect(rows('SELECT count(*) FROM records')).toEqual([LARGE + 3]);
  });

  test('has the later changes of its zone wait for its content, and loses none', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    await database.write(['put', 'large.example', 'late', 2], ['drop', 'large.example', 'www', 1]);
    await database.write(['touch', 'large.example']);
    await database.import({ name: 'large.example', first: 50_000, count: 3000 });
    await caughtUp();
    expect(lines('large.example')).toHaveLength(2);
    release();
    await shown();
    expect(lines('large.example')[0]).toBe('5');
    await expectEqual();
    expect(snapshots).toBe(1);
    await database.write(['put', 'large.example', 'later', 3]);
    await caughtUp();
    await expectEqual();
    expect(updates.at(-1)?.kind).toBe('changed');
  });

  test('may be followed by another one, and the content before it is shown first', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    await database.write(['put', 'large.example', 'late', 2]);
    await database.import({ name: 'large.example', first: 50_000, count: LARGE });
    await caughtUp();
    release();
    await shown();
    await expectEqual();
    expect(snapshots).toBe(2);
    expect(updates.map((update) => update.kind !== 'deleted' && update.head.serial)).toEqual([2, 4]);
  });

  test('may be followed by more changes than are kept', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    for (let batch = 0; batch < 6; batch++)
      await database.import({ name: 'large.example', first: 50_000 + batch * 4000, count: 4000 });
    await caughtUp();
    release();
    await shown();
    await expectEqual();
    expect(snapshots).toBe(2);
  });

  test('can create the domain, which appears with its content', async () => {
    const release = holdPages();
    await database.import({ name: 'new.example', first: 1, count: LARGE }, [['create', 'new.example']]);
    await caughtUp();
    expect(zones.hostedNames('', 10)).not.toContain('new.example');
    expect(progress?.awaited).toEqual([{ name: 'new.example', serial: null }]);
    expect(updates).toEqual([]);
    release();
    await shown();
    await expectEqual();
  });

  test('can create a domain in place of another one of the same batch', async () => {
    const release = holdPages();
    const before = servedBy(source())['large.example'];
    await database.import({ name: 'large.example', first: 1000, count: LARGE }, [
      ['drop', 'large.example', 'www', 1],
      ['delete', 'large.example'],
      ['create', 'large.example'],
    ]);
    await caughtUp();
    expect(lines('large.example')).toEqual(before);
    release();
    await shown();
    await expectEqual();
  });

  test('counts for nothing if the domain is deleted in the same batch', async () => {
    await database.import(
      { name: 'large.example', first: 1000, count: LARGE },
      [],
      [['delete', 'large.example']],
    );
    await caughtUp();
    await expectEqual();
    expect([progress?.awaited, updates.map(({ kind }) => kind), snapshots]).toEqual([[], ['deleted'], 0]);
  });

  test('shares its batch with small changes of others, which are applied', async () => {
    const release = holdPages();
    await database.import(
      { name: 'large.example', first: 1000, count: LARGE },
      [
        ['put', 'small.example', 'before', 2],
        ['put', 'large.example', 'own', 2],
      ],
      [['put', 'small.example', 'after', 3]],
    );
    await caughtUp();
    expect(lines('small.example')).toHaveLength(4);
    release();
    await shown();
    await expectEqual();
  });
});

describe('a restored domain', () => {
  beforeEach(async () => {
    await database.write(['put', 'large.example', 'mail', 2]);
    await database.write(['delete', 'large.example']);
    await caughtUp();
    expect(zones.hostedNames('', 10)).toEqual(['small.example']);
    updates.length = 0;
  });

  test('appears with the records that it had, and holds up no other zone', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    beforeSnapshot = () => held;
    await database.write(['restore', 'large.example']);
    await database.write(['put', 'small.example', 'mail', 2]);
    await database.write(['drop', 'large.example', 'www', 1], ['put', 'large.example', 'late', 3]);
    await caughtUp();
    expect(lines('small.example')).toHaveLength(3);
    expect(progress?.awaited).toEqual([{ name: 'large.example', serial: null }]);
    release();
    await shown();
    await expectEqual();
    expect(lines('large.example')).toHaveLength(3);
  });

  test('can be deleted, restored and changed in one batch', async () => {
    await database.write(['restore', 'large.example']);
    await shown();
    await database.write(
      ['drop', 'large.example', 'www', 1],
      ['delete', 'large.example'],
      ['restore', 'large.example'],
      ['put', 'large.example', 'late', 3],
    );
    await caughtUp();
    await shown();
    await expectEqual();
    expect(walks).toBe(0);
  });

  test('can be deleted and restored again while a snapshot is read that lacks it', async () => {
    let open = (): void => undefined;
    beforeSnapshot = () => new Promise<void>((resolve) => (open = resolve));
    await database.write(['restore', 'large.example']);
    await caughtUp();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    beforeRead = () => held;
    await database.write(['delete', 'large.example']);
    beforeSnapshot = () => Promise.resolve();
    open();
    await until(() => named === 1);
    await database.write(['restore', 'large.example']);
    goOn();
    await caughtUp();
    await shown();
    await expectEqual();
    expect(walks).toBe(0);
  });
});

describe('while a zone is fetched', () => {
  test('its domain can be deleted, and created again', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    await database.write(['delete', 'large.example']);
    await caughtUp();
    await expectEqual();
    expect(progress?.awaited).toEqual([]);
    await database.write(['create', 'large.example'], ['put', 'large.example', 'www', 1]);
    release();
    await caughtUp();
    await expectEqual();
    await until(() => rows('SELECT count(*) FROM records')[0] === 2);
  });

  test('the process can be started again: the rest of it is purged, and the zone is fetched again', async () => {
    let pages = 0;
    beforePage = () => (++pages < 4 ? Promise.resolve() : new Promise(() => undefined));
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await until(() => pages === 4);
    abandon();
    beforePage = () => Promise.resolve();
    const release = holdPages();
    open();
    await database.write(['put', 'small.example', 'mail', 2]);
    await caughtUp();
    expect(lines('large.example')).toHaveLength(2);
    expect(progress?.awaited).toEqual([{ name: 'large.example', serial: 1 }]);
    release();
    await shown();
    await expectEqual();
    await until(() => rows('SELECT count(*) FROM records')[0] === LARGE + 3);
  });

  test('a small zone is fetched as well, and does not wait for it', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    const octets = [10, 11, 12];
    await database.write(...octets.map((octet): Step => ['put', 'small.example', 'x', octet]));
    await caughtUp();
    const [[id]] = await database.sql<[number]>("SELECT id FROM domains WHERE name = 'small.example'");
    const seq = await database.lastSeq();
    copy.inTransaction(() => copy.awaited.add({ name: 'small.example' as ZoneName, sourceId: id, seq }));
    await database.write(...octets.map((octet): Step => ['drop', 'small.example', 'x', octet]));
    await until(() => lines('small.example').length === 2 && progress?.awaited?.length === 1);
    expect(progress?.awaited).toEqual([{ name: 'large.example', serial: 1 }]);
    release();
    await shown();
    await expectEqual();
  });

  test('all zones can be copied again, which ends its wait', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await database.prune();
    copy.setPosition(null);
    follower.wake();
    release();
    await shown();
    await caughtUp();
    await expectEqual();
  });

  test('a failure has it fetched again', async () => {
    let failures = 2;
    beforePage = () =>
      failures-- > 0 ? reader.read({ seq: 1, batch: 'none' }, 1).then() : Promise.resolve();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await shown();
    await expectEqual();
  });
});

describe('an awaited zone that is withheld', () => {
  test('is no longer served as it was, and not when its content is fetched', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    await database.write(['withhold', 'large.example']);
    await caughtUp();
    expect(updates.at(-1)).toMatchObject({ kind: 'deleted', name: 'large.example' });
    expect(progress?.awaited).toEqual([{ name: 'large.example', serial: null }]);
    expect(zones.hosts('large.example' as ZoneName)).toBe(false);
    release();
    await shown();
    await expectEqual();
    await database.write(['release', 'large.example']);
    await caughtUp();
    await expectEqual();
    expect(lines('large.example')).toHaveLength(LARGE + 2);
  });

  test('and released meanwhile is served when its content is fetched', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    await database.write(['withhold', 'large.example']);
    await database.write(['release', 'large.example']);
    await caughtUp();
    expect(zones.hosts('large.example' as ZoneName)).toBe(false);
    release();
    await shown();
    await expectEqual();
    expect(zones.hosts('large.example' as ZoneName)).toBe(true);
  });

  test('stays so if the changes that follow are too many to be kept', async () => {
    const release = holdPages();
    await database.import({ name: 'large.example', first: 1000, count: LARGE });
    await caughtUp();
    await until(() => snapshots === 1);
    for (let round = 0; round < 8; round++)
      await database.import({ name: 'large.example', first: 20_000 + 3000 * round, count: 3000 });
    await database.write(['withhold', 'large.example']);
    await caughtUp();
    release();
    await shown();
    expect(updates.map(({ kind }) => kind)).not.toContain('replaced');
    await expectEqual();
  });
});

test('when as many zones are awaited as may be, the changes of further ones are applied', async () => {
  await close();
  open({ maxAwaitedZones: 2 });
  const release = holdPages();
  for (const name of ['a.example', 'b.example', 'c.example'])
    await database.import({ name, first: 1, count: LARGE }, [['create', name]]);
  await caughtUp();
  expect(progress?.awaited).toHaveLength(2);
  expect(lines('c.example')).toHaveLength(LARGE + 1);
  release();
  await shown();
  await expectEqual();
});

/** Keeps the pages of snapshots back until the returned function is called. */
function holdPages(): () => void {
  const held = new Promise<void>((resolve) => (releasePages = resolve));
  beforePage = () => held;
  return releasePages;
}

function open(limits: Partial<FollowerOptions> = {}): void {
  copy = new CopyWriter(path);
  zones = new SqliteZones(path, copyTables);
  const checks = new CopyChecks({ copied: copy.zones, zones, isProven: true, log: silentLog });
  const publish = (now: FollowerProgress, made: readonly ZoneUpdate[]): Promise<void> => {
    updates.push(...made);
    progress = now;
    return Promise.resolve();
  };
  follower = new Follower({ feed: heldFeed(), copy, checks, publish, log: silentLog, ...limits });
  running = follower.run();
}

async function close(): Promise<void> {
  follower.close();
  // A test that fails leaves them held.
  releasePages();
  await running;
  zones.close();
  copy.close();
}

/** Leaves the copy as a process does that is killed. */
function abandon(): void {
  follower.close();
  zones.close();
}

function heldFeed(): Feed {
  const held = (snapshot: FeedSnapshot): FeedSnapshot => {
    let pages = 0;
    return {
      position: snapshot.position,
      domainsAfter: (name, limit) => {
        walks++;
        return snapshot.domainsAfter(name, limit);
      },
      domainsNamed: (wanted) => snapshot.domainsNamed(wanted).finally(() => named++),
      recordsOf: async (ids, after, limit) => {
        pages++;
        if (pages === 3) snapshots++;
        if (pages > 2) await beforePage();
        return snapshot.recordsOf(ids, after, limit);
      },
    };
  };
  return {
    read: (...asked) => beforeRead().then(() => reader.read(...asked)),
    snapshot: async (use) => {
      await beforeSnapshot();
      return reader.snapshot((snapshot) => use(held(snapshot)));
    },
  };
}

async function caughtUp(): Promise<void> {
  const seq = await database.lastSeq();
  await until(() => progress?.seq === seq && progress.phase === 'following');
}

/** Waits until no zone is awaited. */
async function shown(): Promise<void> {
  await until(() => progress?.awaited?.length === 0);
}

async function expectEqual(): Promise<void> {
  expect(servedBy(source())).toEqual(await database.served());
}

function lines(name: string): readonly string[] {
  return servedBy(source())[name];
}

function names(): string[] {
  return updates.map((update) => (update.kind === 'deleted' ? update.name : update.head.name));
}

function source() {
  return {
    onUpdate: () => undefined,
    readZone: (name: ZoneName) => zones.readZone(name),
    accountOf: (name: ZoneName) => zones.accountOf(name),
    hostedCount: () => zones.hostedCount(),
    hostedNames: (after: string, limit: number) => zones.hostedNames(after, limit),
  };
}

function rows(sql: string): number[] {
  const connection = openDatabase(path);
  try {
    return prepareQuery<[number]>(connection, sql).all().flat();
  } finally {
    connection.close();
  }
}
