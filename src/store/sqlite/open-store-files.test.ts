import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreOpenError } from '../store.ts';
import { migrations } from './migrations/migrations.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase } from './sqlite-driver.ts';

/** https://sqlite.org/fileformat2.html#the_database_header */
const DATABASE_HEADER_BYTES = 100;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'zonewright-files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a new folder and its files are accessible to their owner only', () => {
  const inside = join(folder, 'deep', 'data');
  openStoreFiles(inside, 0).lock.release();
  expect(statSync(inside).mode & 0o777).toBe(0o700);
  const files = readdirSync(inside);
  expect(files).toEqual(expect.arrayContaining(['lock.db', 'zonewright.db']));
  for (const file of files) expect(statSync(join(inside, file)).mode & 0o777, file).toBe(0o600);
});

test('side files that appear later are accessible to their owner only', () => {
  const { path, lock } = openStoreFiles(folder, 0);
  const database = openDatabase(path);
  database.exec('UPDATE counters SET last_seq = 1');
  expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}-shm`).mode & 0o777).toBe(0o600);
  database.close();
  lock.release();
});

test('a folder that cannot be created is refused immediately', () => {
  expect(() => openStoreFiles('/proc/zonewright/data', 0)).toThrow(
    /^the data folder \/proc\/zonewright\/data cannot be written: /,
  );
});

test('a store in use is refused until it is released', () => {
  const { lock } = openStoreFiles(folder, 0);
  expect(() => openStoreFiles(folder, 0)).toThrow(
    new StoreOpenError(`another process is already running on the store in ${folder}`),
  );
  lock.release();
  openStoreFiles(folder, 0).lock.release();
});

test('the lock of another process ends when it is killed', async () => {
  const module = fileURLToPath(new URL('./open-store-files.ts', import.meta.url));
  const script = `import(${JSON.stringify(module)}).then(({ openStoreFiles }) => {
    globalThis.files = openStoreFiles(${JSON.stringify(folder)}, 0);
    console.log('open');
    setInterval(() => {}, 1000);
  });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => openStoreFiles(folder, 0)).toThrow('another process is already running');
  child.kill('SIGKILL');
  await once(child, 'exit');
  openStoreFiles(folder, 0).lock.release();
});

test.each([
  {
    what: 'a file in place of the folder',
    prepare: () => writeFileSync(join(folder, 'data'), ''),
    sentence: () => `the data folder ${data()} cannot be written: a part of its path is not a folder`,
  },
  {
    what: 'a file that is no database',
    prepare: () => {
      mkdirSync(data());
      writeFileSync(join(data(), 'zonewright.db'), 'x'.repeat(5000));
    },
    sentence: () => `${path()} is damaged or not a Zonewright store: restore it from a backup`,
  },
  {
    what: 'a damaged store',
    prepare: () => {
      openStoreFiles(data(), 0).lock.release();
      const content = readFileSync(path());
      writeFileSync(path(), content.fill(0xff, DATABASE_HEADER_BYTES));
    },
    sentence: () => `${path()} is damaged: restore it from a backup`,
  },
  {
    what: 'a newer store',
    prepare: () => alter('PRAGMA user_version = 99'),
    sentence: () =>
      `${path()} is a store of version 99, this program knows versions up to ${migrations.length}: start the newer program`,
  },
  {
    what: "another program's database",
    prepare: () => alter('PRAGMA application_id = 7'),
    sentence: () => `${path()} is a database of another program`,
  },
])('$what is refused with one sentence', ({ prepare, sentence }) => {
  prepare();
  expect(() => openStoreFiles(data(), 0)).toThrow(new StoreOpenError(sentence()));
});

const data = (): string => join(folder, 'data');
const path = (): string => join(data(), 'zonewright.db');

function alter(sql: string): void {
  openStoreFiles(data(), 0).lock.release();
  const database = openDatabase(path());
  database.exec(sql);
  database.close();
}
