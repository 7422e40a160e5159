import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { hashApiKey } from '../operations/new-api-key.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { newKey } from '../store/suite/store-scene.test-support.ts';
import { recoverKey } from './recover-key.ts';

/** A store with one account, and a folder in the place of the key file. */
async function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-recover-'));
  const store = await openSqliteStore({ folder, clock: systemClock, log: silentLog });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const account = { id: 'a', name: 'First', email: 'first@example.net', createdAtSeconds: 1 };
  await store.write({ kind: 'createAccount', account, key: newKey(account.id) });
  const keyFile = join(folder, 'admin.key');
  mkdirSync(keyFile);
  const recovery = { place: { kind: 'sqlite', folder }, account: undefined, keyFile } as const;
  const countKeys = async () =>
    (await store.listKeys(null, { direction: 'after', key: null, limit: 9 })).total;
  return { store, keyFile, recovery, countKeys };
}

test('a key that cannot be put into its place once the store has it is kept, and told where', async () => {
  const { store, keyFile, recovery } = await prepare();
  const failure = await recoverKey({ ...recovery, replace: true }).then(() => '', String);
  const [id] = /(?<=key )\S+(?= works)/.exec(failure) ?? [];
  expect(failure).toContain(
    `the admin key file ${keyFile} cannot be written (EISDIR): the new administrative key ${id} works all the same, take it from ${keyFile}.new or revoke it`,
  );
  const key = readFileSync(`${keyFile}.new`, 'utf8').trim();
  expect(await store.findKeyByHash(hashApiKey(key))).toMatchObject({ id, scope: 'admin' });
});

test('where the key file is not to be replaced, no key is made', async () => {
  const { keyFile, recovery, countKeys } = await prepare();
  const before = await countKeys();
  await expect(recoverKey({ ...recovery, replace: false })).rejects.toThrow('cannot be read (EISDIR)');
  expect(await countKeys()).toBe(before);
  expect(existsSync(`${keyFile}.new`)).toBe(false);
});
