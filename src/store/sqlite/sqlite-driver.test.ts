import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { StoreOpenError } from '../store.ts';
import { bindable, loadDriver, openDatabase, prepareQuery, sqliteErrorCode } from './sqlite-driver.ts';

const driver = { DatabaseSync: Object as never };

afterEach(() => void vi.restoreAllMocks());

test.each(['20.20.2', '22.15.1', '23.11.1'])('loadDriver() uses the package on Node %s', async (version) => {
  expect(await loadDriver(version, () => Promise.resolve(driver))).toBe(driver);
});

test('loadDriver() uses the package on a new Node whose own SQLite is disabled', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect(await loadDriver('24.0.0', () => Promise.resolve(driver))).toBe(driver);
  const error = await loadDriver('24.0.0', () => Promise.reject(new Error('not found')));
  expect((error as StoreOpenError).message).toBe(
    'Node 24.0.0 needs the package @photostructure/sqlite, which cannot be loaded (not found): install it, or start Node without --no-experimental-sqlite',
  );
});

test('loadDriver() returns one sentence if the package is missing', async () => {
  const missing = () =>
    Promise.reject(new Error("Cannot find package '@photostructure/sqlite'\nImported from x"));
  const error = await loadDriver('20.20.2', missing);
  expect(error).toBeInstanceOf(StoreOpenError);
  expect((error as StoreOpenError).message).toBe(
    "Node 20.20.2 needs the package @photostructure/sqlite, which cannot be loaded (Cannot find package '@photostructure/sqlite'): install it, or use Node 22.16 or later",
  );
});

test('loading the driver prints no warning', () => {
  const module = JSON.stringify(new URL('./sqlite-driver.ts', import.meta.url).href);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `(await import(${module})).openDatabase(':memory:').close()`,
    ],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});

test('an empty blob that was read can be written again', () => {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE blobs (bytes BLOB NOT NULL)');
  const read = prepareQuery<[bytes: Uint8Array]>(database, 'SELECT zeroblob(0)').get()?.[0] as Uint8Array;
  for (const empty of [read, structuredClone(read), new Uint8Array(0)])
    database.prepare('INSERT INTO blobs VALUES (?)').run(bindable(empty));
  const types = prepareQuery<[type: string]>(database, 'SELECT typeof(bytes) FROM blobs').all();
  expect(types).toEqual([['blob'], ['blob'], ['blob']]);
  database.close();
});

test.each(['all', 'get'] as const)('the error of %s() on a damaged file has its code', (how) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-driver-'));
  const path = join(folder, 'x.db');
  const database = openDatabase(path);
  database.exec('CREATE TABLE x (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO x VALUES (1, zeroblob(100000))');
  database.close();
  truncateSync(path, 8192);
  const damaged = openDatabase(path);
  let code: number | undefined;
  try {
    prepareQuery(damaged, 'SELECT b FROM x ORDER BY a')[how]();
  } catch (error) {
    code = sqliteErrorCode(error);
  }
  damaged.close();
  rmSync(folder, { recursive: true });
  expect(code).toBe(11);
});
