import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { startPostgresServer, type PostgresServer } from '../../test/harness/postgres-server.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog, type Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { StoreOpenError } from '../store/store.ts';
import { overwriteTable } from './overwrite-table.test-support.ts';
import { openZoneCopy, type ZoneCopy } from './zone-copy.ts';
import { replay, servedBy, until, ZoneDatabase, type Served } from './zone-database.test-support.ts';

let folder: string;
let copies: ZoneCopy[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-copy-'));
  copies = [];
});

afterEach(async () => {
  for (const copy of copies) await copy.close();
  rmSync(folder, { recursive: true });
});

describe('a copy of a database', () => {
  let database: ZoneDatabase;

  beforeAll(async () => {
    database = await ZoneDatabase.create(inject('postgresUrl'));
    return () => database.remove();
  });

  beforeEach(() => database.clear());

  test('a write is served and passed to listeners before reached() resolves', async () => {
    const copy = await open(database);
    const updates: ZoneUpdate[] = [];
    copy.onUpdate(() => {
      throw new Error('a bug of a listener');
    });
    copy.onUpdate((batch) => updates.push(...batch));
    for (let octet = 1; octet < 40; octet++) {
      const create = octet % 4 === 1 ? (['create', `d${octet >> 2}.example`] as const) : undefined;
      const put = ['put', `d${(octet - 1) >> 2}.example`, `r${octet % 2}`, octet] as const;
      if (create !== undefined) await database.write(['create', put[1]]);
      const seq = await database.write(put);
      copy.wake();
      await copy.reached(seq);
      expect(replay({}, updates, copy)).toEqual(await database.served());
    }
    expect(servedBy(copy)).toEqual(await database.served());
    expect(copy.hostedCount()).toBe(10);
    expect(copy.state()).toMatchObject({ phase: 'following', seq: 49, feedSeq: 49, lagMs: 0 });
  });

  test('a change arrives by notification, without a call of reached()', async () => {
    const copy = await open(database);
    await copy.reached(await database.write(['create', 'one.example']));
    await copy.reached(await database.write(['create', 'two.example']));
    expect(Object.keys(servedBy(copy))).toEqual(['one.example', 'two.example']);
  });

  test('after a restart the copy has the same id and continues from its position', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]));
    await first.close();
    await database.write(['put', 'one.example', 'www', 2]);
    const second = await open(database);
    expect(second.id).toBe(first.id);
    const before: Served = { 'one.example': ['1', 'www 300 1 c0000201'] };
    expect(servedBy(second)).toEqual(before);
    const updates = hear(second);
    await second.reached(await database.lastSeq());
    expect(updates.map(({ kind }) => kind)).toEqual(['changed']);
    expect(replay(before, updates, second)).toEqual(await database.served());
  });

  test('the database receives the position of each process', async () => {
    const copy = await open(database);
    const seq = await database.write(['create', 'one.example']);
    const reported = () =>
      database.sql<[string, string, number]>(
        'SELECT id, name, nameservers.seq FROM nameservers JOIN nameserver_reports r ON r.nameserver_id = id AND r.seq = $1',
        seq,
      );
    await until(async () => (await reported()).length > 0);
    expect(await reported()).toEqual([[copy.id, 'ns1', seq]]);
  });

  test('a domain that is served in a former version is reported as not served, until it no longer is', async () => {
    const copy = await open(database);
    const seq = await database.write(['create', 'one.example'], ['create', 'two.example']);
    await copy.reached(seq);
    const reported = () =>
      database.sql(
        'SELECT nameservers.seq, doubt, domains.name FROM nameservers LEFT JOIN domains ON domains.id = ANY (doubted)',
      );
    const reports = async (...expected: unknown[]) =>
      until(async () => JSON.stringify(await reported()) === JSON.stringify([expected]));
    copy.noteFormer(['two.example', 'gone.example'] as ZoneName[]);
    await reports(seq, 'some', 'two.example');
    const later = await database.write(['put', 'one.example', 'www', 1]);
    await reports(later, 'some', 'two.example');
    copy.noteFormer([]);
    await reports(later, 'none', null);
  });

  test('of two processes with copies of one folder, one takes a new id permanently and reports it', async () => {
    const first = await open(database);
    const { id } = first;
    await first.close();
    const clone = mkdtempSync(join(tmpdir(), 'zonewright-clone-'));
    cpSync(folder, clone, { recursive: true });
    const warn = vi.fn();
    const log = { ...silentLog, warn };
    const original = await open(database, { log });
    const seq = await database.write(['create', 'one.example']);
    const ids = () => database.sql<[string]>('SELECT id FROM nameservers WHERE seq = $1', seq);
    await until(async () => (await ids()).length === 1);
    const cloned = await open(database, { folder: clone, log });
    await until(async () => (await ids()).length === 2);
    expect(warn.mock.calls).toMatchObject([
      [
        { id },
        'another nameserver process uses the id of this one (a copied data folder?): this one has a new id now',
      ],
    ]);
    await Promise.all([original.close(), cloned.close()]);
    const again = [await open(database), await open(database, { folder: clone })].map((copy) => copy.id);
    expect(again.toSorted()).toEqual((await ids()).flat().toSorted());
    expect(again).toContain(id);
    rmSync(clone, { recursive: true });
  });

  test('a process that starts again on an older copy counts for nothing, and catches up, before it answers', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]));
    await first.close();
    cpSync(path(), `${path()}-old`);
    const second = await open(database);
    const newest = await database.write(['put', 'one.example', 'www', 2]);
    await second.reached(newest);
    await expectProven(second, database);
    await second.close();
    cpSync(`${path()}-old`, path());
    // Nothing of the feed can be read, but the database can be told.
    await database.sql('ALTER TABLE batches RENAME TO hidden');
    const third = await open(database);
    await third.settled();
    expect(servedBy(third)).not.toEqual(await database.served());
    expect(await database.sql('SELECT id FROM nameservers WHERE seq < $1', newest)).toEqual([[first.id]]);
    await third.close();
    await database.sql('ALTER TABLE hidden RENAME TO batches');
    const fourth = await open(database);
    await fourth.settled(60_000);
    expect(servedBy(fourth)).toEqual(await database.served());
  });

  test('a process whose copy was deleted is still known as the same nameserver', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example']));
    await first.close();
    rmSync(path());
    const second = await open(database);
    expect(second.id).toBe(first.id);
    await second.settled(60_000);
    expect(servedBy(second)).toEqual(await database.served());
  });

  test('an unusable copy is replaced and filled again', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example']));
    await first.close();
    writeFileSync(join(folder, 'zone-copy.db'), 'no database'.repeat(1000));
    const second = await open(database);
    await second.reached(await database.lastSeq());
    expect(servedBy(second)).toEqual(await database.served());
  });

  test('a copy that is found damaged is served, made again and swapped', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]));
    await first.reached(await database.write(['create', 'gone.example']));
    await first.close();
    overwriteTable(path(), 'records');
    const seq = await database.write(['put', 'one.example', 'www', 2], ['delete', 'gone.example']);
    const second = await open(database);
    const updates = hear(second);
    await second.reached(seq);
    expect(servedBy(second)).toEqual(await database.served());
    expect(updates).toMatchObject([
      { kind: 'deleted', name: 'gone.example' },
      { kind: 'replaced', head: { name: 'one.example' } },
    ]);
    await expectProven(second, database);
    await second.reached(await database.write(['put', 'one.example', 'www', 3]));
    expect(servedBy(second)).toEqual(await database.served());
    await second.close();
    const third = await open(database);
    expect(third.id).toBe(second.id);
    expect(servedBy(third)).toEqual(await database.served());
  });

  test('a copy that is deleted while it is in use is served, and made again', async () => {
    const copy = await open(database);
    await copy.reached(await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]));
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path()}${suffix}`, { force: true });
    await until(() => existsSync(path()));
    await copy.reached(await database.write(['put', 'one.example', 'www', 2]));
    expect(servedBy(copy)).toEqual(await database.served());
    await expectProven(copy, database);
    await copy.close();
    expect(servedBy(await open(database))).toEqual(await database.served());
  });

  test('rows that were changed or removed are found, and only their zones are copied again', async () => {
    const first = await open(database);
    for (const name of ['one', 'two', 'three', 'four']) {
      await database.write(['create', `${name}.example`], ['put', `${name}.example`, 'www', 1]);
    }
    await first.reached(await database.lastSeq());
    await first.close();
    const { id } = first;
    spoil(
      "UPDATE records SET rdata = X'7f000001' WHERE domain_id = (SELECT id FROM domains WHERE name = 'one.example')",
      "DELETE FROM records WHERE domain_id = (SELECT id FROM domains WHERE name = 'two.example')",
      "UPDATE domains SET serial = 99 WHERE name = 'three.example'",
    );
    const second = await open(database);
    expect(second.id).toBe(id);
    const updates = hear(second);
    await until(() => updates.length >= 3);
    const names = updates.map((update) => (update.kind === 'deleted' ? update.name : update.head.name));
    expect(new Set(names)).toEqual(new Set(['one.example', 'two.example', 'three.example']));
    expect(servedBy(second)).toEqual(await database.served());
    await expectProven(second, database);
  });

  test('domains that are missing in the copy, or that it has too many, are found', async () => {
    const first = await open(database);
    for (const name of ['one', 'two', 'three']) {
      await database.write(['create', `${name}.example`], ['put', `${name}.example`, 'www', 1]);
    }
    await first.reached(await database.lastSeq());
    await first.close();
    spoil(
      "DELETE FROM domains WHERE name = 'one.example'",
      "INSERT INTO domains SELECT 99, 'more.example', 99, 1, NULL, NULL, 0, content_hash, zone_hash, '', NULL FROM domains LIMIT 1",
    );
    const second = await open(database);
    await until(() => isSettled(second));
    expect(servedBy(second)).toEqual(await database.served());
    await expectProven(second, database);
  });

  test('an old file beside a newer log is checked before it counts, and is made equal', async () => {
    const first = await open(database);
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await first.reached(await database.lastSeq());
    await first.close();
    cpSync(path(), `${path()}-old`);
    const second = await open(database);
    for (let octet = 1; octet < 40; octet++) {
      const name = `d${octet % 5}.example`;
      if (octet < 6) await database.write(['create', name]);
      await database.write(['put', name, `r${octet}`, octet]);
    }
    await second.reached(await database.lastSeq());
    cpSync(`${path()}-wal`, `${path()}-log`);
    await second.close();
    cpSync(`${path()}-old`, path());
    cpSync(`${path()}-log`, `${path()}-wal`);
    const third = await open(database);
    await until(() => isSettled(third));
    expect(servedBy(third)).toEqual(await database.served());
  });

  test('a copy that differs from the database at the same position is made equal by its digest', async () => {
    const first = await open(database);
    await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]);
    await database.write(['create', 'two.example'], ['put', 'two.example', 'www', 1]);
    await first.reached(await database.lastSeq());
    await database.sql("UPDATE domains SET soa_email = 'a@b.example' WHERE name = 'one.example'");
    await database.sql("UPDATE batches SET digest = 'another'");
    await until(() => first.readZone('one.example' as ZoneName)?.head.soaEmail === 'a@b.example');
    await until(() => first.state().doubt !== undefined);
    await database.sql('UPDATE batches SET digest = NULL');
    await until(() => first.state().doubt === undefined);
  });

  test('close() resolves pending waits and unlocks the folder', async () => {
    const copy = await open(database);
    const waiting = copy.reached(1000);
    await Promise.all([copy.close(), waiting]);
    await open(database);
  });

  test('a folder can only be used by one process and one kind of store at a time', async () => {
    const copy = await open(database);
    await expect(open(database)).rejects.toBeInstanceOf(StoreOpenError);
    const embedded = { folder, clock: systemClock, log: silentLog };
    await expect(openSqliteStore(embedded)).rejects.toBeInstanceOf(StoreOpenError);
    await copy.close();
    const store = await openSqliteStore(embedded);
    await expect(open(database)).rejects.toThrow('another process is already running on the store in');
    await store.close();
  });
});

describe('a database that is sometimes unreachable', () => {
  let server: PostgresServer;
  let database: ZoneDatabase;

  beforeAll(async () => {
    server = await startPostgresServer();
    database = await ZoneDatabase.create(server.url());
    return () => server.remove();
  }, 60_000);

  test('is not needed to start, serve and restart, and is followed again when it is back', async () => {
    await database.write(['create', 'one.example']);
    await server.stop();
    const first = await open(database);
    expect(first.state()).toMatchObject({ phase: 'away', seq: 0, feedSeq: null, lagMs: null });
    expect(servedBy(first)).toEqual({});
    await server.start();
    await first.reached(1);
    await server.kill();
    await until(() => first.state().phase === 'away');
    expect(Object.keys(servedBy(first))).toEqual(['one.example']);
    expect(first.state().lagMs).toBeGreaterThan(0);
    await first.close();
    const second = await open(database);
    expect(Object.keys(servedBy(second))).toEqual(['one.example']);
    await server.start();
    await database.reconnect();
    await second.reached(await database.write(['create', 'two.example']));
    expect(servedBy(second)).toEqual(await database.served());
    await second.close();
  }, 60_000);
});

function path(): string {
  return join(folder, 'zone-copy.db');
}

function isSettled(copy: ZoneCopy): boolean {
  const { phase, lagMs, doubt } = copy.state();
  return phase === 'following' && lagMs === 0 && doubt === undefined;
}

/** Changes a closed copy past the program. */
function spoil(...statements: readonly string[]): void {
  const connection = openDatabase(path());
  for (const sql of statements) connection.exec(sql);
  connection.close();
}

/** The process knows that its copy is right, and so does the database. */
async function expectProven(copy: ZoneCopy, database: ZoneDatabase): Promise<void> {
  await until(() => copy.state().doubt === undefined);
  const { seq } = copy.state();
  await until(async () => {
    const rows = await database.sql('SELECT doubt FROM nameservers WHERE id = $1 AND seq = $2', copy.id, seq);
    return JSON.stringify(rows) === '[["none"]]';
  });
}

async function open(
  { address }: ZoneDatabase,
  other: { folder?: string; log?: Log } = {},
): Promise<ZoneCopy> {
  const about = { folder, address, nameserver: 'ns1', clock: systemClock, log: silentLog };
  const copy = await openZoneCopy({ ...about, ...other });
  copies.push(copy);
  return copy;
}

function hear(copy: ZoneCopy): ZoneUpdate[] {
  const updates: ZoneUpdate[] = [];
  copy.onUpdate((batch) => updates.push(...batch));
  return updates;
}
