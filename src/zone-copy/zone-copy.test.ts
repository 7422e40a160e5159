import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { startPostgresServer, type PostgresServer } from '../../test/harness/postgres-server.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog, type Log } from '../base/log.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
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

  test('an unusable copy is replaced and filled again', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example']));
    await first.close();
    writeFileSync(join(folder, 'zone-copy.db'), 'no database'.repeat(1000));
    const second = await open(database);
    await second.reached(await database.lastSeq());
    expect(servedBy(second)).toEqual(await database.served());
  });

  test('a copy found damaged during a write ends the process and is replaced by the next one', async () => {
    const first = await open(database);
    await first.reached(await database.write(['create', 'one.example'], ['put', 'one.example', 'www', 1]));
    await first.close();
    overwriteTable(join(folder, 'zone-copy.db'), 'records');
    const seq = await database.write(['put', 'one.example', 'www', 2]);
    const args = ['--import', 'tsx', '--input-type=module', '-e', following(database)];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 100_000 });
    expect(stderr).toContain('Error: the follower thread ended unexpectedly');
    expect(status).toBe(1);
    const second = await open(database);
    await second.reached(seq);
    expect(servedBy(second)).toEqual(await database.served());
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
    expect(first.state()).toEqual({ phase: 'away', seq: 0, feedSeq: null, lagMs: null });
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
    expect(existsSync(join(folder, 'zone-copy.db-damaged'))).toBe(false);
  }, 60_000);
});

/** A process with a copy in the folder that runs until it is killed. */
function following({ address }: ZoneDatabase): string {
  const source = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const settings = JSON.stringify({ folder, address, nameserver: 'ns1' });
  return `
    const { openZoneCopy } = await import(${source('./zone-copy.ts')});
    const { systemClock } = await import(${source('../base/clock.ts')});
    const { silentLog } = await import(${source('../base/log.ts')});
    await openZoneCopy({ ...${settings}, clock: systemClock, log: silentLog });
    setInterval(() => undefined, 1_000);`;
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
