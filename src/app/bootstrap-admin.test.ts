import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { defaultLimits } from '../model/account-limits.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { isWellFormedApiKey } from '../model/api-key.ts';
import { hashApiKey, newApiKey } from '../operations/new-api-key.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { bootstrapAdmin, type AdminKey } from './bootstrap-admin.ts';

let folder: string;
let keyFile: string;
let store: SqliteStore;
let warnings: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-admin-'));
  keyFile = join(folder, 'admin.key');
  store = await openSqliteStore({ folder: join(folder, 'store'), clock: systemClock, log: silentLog });
  warnings = [];
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function contextOn(source: Store): OperationContext {
  return createOperationContext({
    store: source,
    clock: systemClock,
    settings: {
      recordRules: { txtLimitBytes: 4096, defaultTtlSeconds: null },
      zoneNameRules: { allowPublicSuffixes: false },
      limits: defaultLimits,
      historyDays: 30,
      soa: { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' },
      nameservers: ['ns1.example.net'],
    },
  });
}

/** One start of the server, as far as the first account is concerned; `newKey` is the same if it is another attempt. */
function start(source: Store = store, newKey = newApiKey()): Promise<AdminKey> {
  const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
  return bootstrapAdmin({
    context: contextOn(source),
    keyFile,
    email: 'hostmaster@example.net',
    newKey,
    log,
  });
}

/** The process dies before the account is committed. */
function dyingStore(): Store {
  return Object.create(store, { write: { value: () => Promise.reject(new Error('killed')) } }) as Store;
}

/** The account is committed, but the process does not learn it. */
function doubtfulStore(): Store {
  const write: Store['write'] = async (command) => {
    await store.write(command);
    throw new Error('the connection is lost');
  };
  return Object.create(store, { write: { value: write } }) as Store;
}

async function accountCount(): Promise<number> {
  return (await store.listAccounts({ direction: 'after', key: null, limit: 10 })).total;
}

function keyInFile(): string {
  return readFileSync(keyFile, 'utf8').trim();
}

async function scopeOf(key: string): Promise<string | undefined> {
  return (await store.findKeyByHash(hashApiKey(key)))?.scope;
}

test('an empty store without a file gets an account, a key and the file', async () => {
  const adminKey = await start();
  expect(adminKey).toEqual({
    kind: 'drawn',
    key: keyInFile(),
    token: expect.stringMatching(/^zwi_/) as string,
  });
  expect(isWellFormedApiKey(keyInFile())).toBe(true);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await scopeOf(keyInFile())).toBe('admin');
  expect(await accountCount()).toBe(1);
});

test('the next start changes nothing and has nothing to show', async () => {
  await start();
  const key = keyInFile();
  expect(await start()).toEqual({ kind: 'kept' });
  expect(keyInFile()).toBe(key);
  expect(await accountCount()).toBe(1);
  expect(warnings).toEqual([]);
});

test('a crash between file and account leaves a key that the next start takes', async () => {
  await expect(start(dyingStore())).rejects.toThrow('killed');
  const key = keyInFile();
  expect(await start()).toEqual({ kind: 'taken', token: expect.stringMatching(/^zwi_/) as string });
  expect(keyInFile()).toBe(key);
  expect(await scopeOf(key)).toBe('admin');
});

test('a crash while the file is being written leaves no file, and the next start draws anew', async () => {
  writeFileSync(`${keyFile}.new`, 'zw_half', { mode: 0o644 });
  const adminKey = await start();
  expect(adminKey).toEqual({
    kind: 'drawn',
    key: keyInFile(),
    token: expect.stringMatching(/^zwi_/) as string,
  });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(existsSync(`${keyFile}.new`)).toBe(false);
});

test('a key that the operator brought is taken, with white space around it, and its file left as it is', async () => {
  const key = newApiKey();
  writeFileSync(keyFile, `${key}\r\n`);
  expect(await start()).toEqual({ kind: 'taken', token: expect.stringMatching(/^zwi_/) as string });
  expect(await scopeOf(key)).toBe('admin');
  expect(readFileSync(keyFile, 'utf8')).toBe(`${key}\r\n`);
});

test.each([
  ['nothing', ''],
  ['a key with a wrong checksum', `zw_${'a'.repeat(38)}`],
  ['two keys', `${newApiKey()}\n${newApiKey()}\n`],
  ['a long text', `${newApiKey()}${' '.repeat(10_000)}`],
])('a file with %s is refused on an empty store, and nothing is changed', async (_, text) => {
  writeFileSync(keyFile, text);
  const failure = await start().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CommandFailure);
  expect(failure).toMatchObject({
    exitCode: 1,
    message: `the admin key file ${keyFile} does not hold a well-formed API key: correct it or remove it`,
  });
  expect(readFileSync(keyFile, 'utf8')).toBe(text);
  expect(await accountCount()).toBe(0);
});

/** As another process that has just started sees the store: what was written since is not in its first look. */
function storeSeenEmpty(): Store {
  const none = { rows: [], hasBefore: false, hasAfter: false, total: 0 };
  return Object.create(store, { listAccounts: { value: () => Promise.resolve(none) } }) as Store;
}

test('of two processes that start on an empty store one makes the account, the other leaves no file', async () => {
  await start();
  const first = keyFile;
  keyFile = join(folder, 'second.key');
  expect(await start(storeSeenEmpty())).toEqual({ kind: 'kept' });
  expect(existsSync(keyFile)).toBe(false);
  const brought = newApiKey();
  writeFileSync(keyFile, brought);
  expect(await start(storeSeenEmpty())).toEqual({ kind: 'kept' });
  expect(keyInFile()).toBe(brought);
  expect(await scopeOf(brought)).toBeUndefined();
  expect(await accountCount()).toBe(1);
  keyFile = first;
  expect(await scopeOf(keyInFile())).toBe('admin');
});

test('a file that cannot be read or written is named', async () => {
  keyFile = folder;
  await expect(start()).rejects.toThrow(`the admin key file ${folder} cannot be read (EISDIR)`);
  keyFile = join(folder, 'nowhere', 'admin.key');
  await expect(start()).rejects.toThrow(`the admin key file ${keyFile} cannot be written (ENOENT)`);
  expect(await accountCount()).toBe(0);
});

test('a store that has an account minds neither a lost, a foreign nor a broken file', async () => {
  await start();
  const key = keyInFile();
  rmSync(keyFile);
  expect(await start()).toEqual({ kind: 'kept' });
  expect(existsSync(keyFile)).toBe(false);

  const foreign = newApiKey();
  writeFileSync(keyFile, foreign);
  expect(await start()).toEqual({ kind: 'kept' });
  expect(warnings).toEqual(['the admin key file holds a key that this store does not know']);
  expect(await scopeOf(foreign)).toBeUndefined();

  writeFileSync(keyFile, 'broken');
  chmodSync(keyFile, 0o000);
  expect(await start()).toEqual({ kind: 'kept' });
  expect(await scopeOf(key)).toBe('admin');
  expect(await accountCount()).toBe(1);
});

test.each([
  ['refused', dyingStore],
  ['committed without an answer', doubtfulStore],
])('an attempt that was %s does not hide the key from the operator', async (_, source) => {
  const newKey = newApiKey();
  await expect(start(source(), newKey)).rejects.toThrow();
  expect(await start(store, newKey)).toMatchObject({ kind: 'drawn', key: newKey });
  expect(await accountCount()).toBe(1);
});
