import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { createZoneKey, openPrivateKey } from '../dnssec/private-key.ts';
import type { ZoneKey } from '../dnssec/zone-key.ts';
import { parseUserFactors } from '../model/user-factors.ts';
import { scopeRights } from '../model/scope-rights.ts';
import { openCodeSecret, sealCodeSecret } from '../operations/one-time-code-secret.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { newId, newKey, newName } from '../store/suite/store-scene.test-support.ts';
import type { Store } from '../store/store.ts';
import { resealKeys, type Resealed } from './reseal-keys.ts';

const database = { kind: 'sqlite' } as const;
const soa = { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' };
const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(43));

interface Scene {
  readonly data: string;
  readonly file: string;
  /** The keys of all domains, deleted ones included. */
  readonly keys: () => Promise<readonly ZoneKey[]>;
  /** The secrets of one-time codes, confirmed and pending; undefined: not opened. */
  readonly codes: (secrets: readonly string[]) => Promise<readonly (string | undefined)[]>;
  readonly reseal: (setting?: readonly string[]) => Promise<Resealed>;
}

/** A store with three signed domains, one of them deleted, and `first` in its key file. */
async function prepare(domains = 3): Promise<Scene> {
  const data = mkdtempSync(join(tmpdir(), 'zonewright-reseal-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const file = join(data, 'dnssec.key');
  writeFileSync(file, `${first}\n`, { mode: 0o600 });
  const ids: number[] = [];
  const open = () =>
    openSqliteStore({ folder: data, clock: systemClock, log: silentLog, dnssec: { secrets: [first], soa } });
  const store = await open();
  const account = { id: newId(), name: '', email: '', createdAtSeconds: 1 };
  await store.write({ kind: 'createAccount', account, key: newKey(account.id) });
  const author = { accountId: account.id, keyId: newId(), atMs: Date.now() };
  for (let at = 0; at < domains; at++) {
    const key = createZoneKey({ id: newId(), algorithm: 13, createdAtSeconds: 1 }, openKeySecrets([first]));
    const dnsSec = { wanted: 'enabled', denial: 'nsec', key } as const;
    const name = newName();
    const create = { kind: 'createDomain', author, name, address: null, nameservers: [], dnsSec } as const;
    const made = await store.write(create);
    if (!made.ok) throw new Error(made.refusal.message);
    ids.push(made.value.id);
    if (at === 0) await store.write({ kind: 'deleteDomain', author, name });
  }
  const userId = await addUser(store, account.id);
  await store.close();
  return {
    data,
    file,
    keys: async () => {
      const opened = await open();
      const keys = await Promise.all(ids.map((id) => opened.signing.zoneKeys({ id })));
      await opened.close();
      return keys.flat();
    },
    codes: async (secrets) => {
      const opened = await open();
      const [{ factors }] = await opened.people.find('users', 'id', [userId]);
      await opened.close();
      const { oneTimeCode, pendingCode } = parseUserFactors(factors);
      return [oneTimeCode, pendingCode].map((code) => {
        const secret = code && openCodeSecret(code, userId, openKeySecrets(secrets, 'one-time codes'));
        return secret ? Buffer.from(secret).toString() : undefined;
      });
    },
    reseal: (setting) =>
      resealKeys({ database, data, dnssecSecret: setting ?? null }, silentLog, () => undefined),
  };
}

/** A user who has set up one-time codes, and is setting them up again. */
async function addUser(store: Store, accountId: string): Promise<string> {
  const userId = newId();
  const invitation = { id: newId(), hash: newId(), accountId, email: 'a@example.net', recovers: null };
  const role = { role: 'owner', grants: null, isOperator: true } as const;
  const times = { createdAtSeconds: 1, expiresAtSeconds: 9, createdBy: '' };
  const within = scopeRights.admin;
  await store.write({ kind: 'createInvitation', invitation: { ...invitation, ...role, ...times }, within });
  const user = { id: userId, email: '', name: '', passwordHash: 'x' };
  const accept = { kind: 'acceptInvitation', proven: null, atSeconds: 1 } as const;
  await store.write({ ...accept, hash: invitation.hash, user });
  for (const text of ['confirmed', 'pending']) {
    const id = newId();
    const sealed = sealCodeSecret(Buffer.from(text), userId, openKeySecrets([first], 'one-time codes'));
    const code = { id, ...sealed, createdAtSeconds: 1, lastStep: 0 };
    const prepare = { kind: 'prepareOneTimeCode', code } as const;
    await store.write({ kind: 'changeFactors', userId, change: prepare });
    const confirm = { kind: 'confirmOneTimeCode', id, step: 1, recoveryCodes: [] } as const;
    if (text === 'confirmed') await store.write({ kind: 'changeFactors', userId, change: confirm });
  }
  return userId;
}

function secretsIn(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trim().split(',');
}

function opens(keys: readonly ZoneKey[], secrets: readonly string[]): boolean[] {
  const opened = openKeySecrets(secrets);
  return keys.map((key) => {
    try {
      return openPrivateKey(key, opened).type === 'private';
    } catch {
      return false;
    }
  });
}

test('the key file gets a new secret, which alone opens all keys, and the former one is kept beside it', async () => {
  const scene = await prepare();
  const done = await scene.reseal();
  expect(done).toEqual({
    resealed: 3,
    resealedCodes: 2,
    lost: new Map(),
    formerFile: `${scene.file}.former.1`,
  });
  const [now, ...others] = secretsIn(scene.file);
  expect(others).toEqual([]);
  expect(now).not.toBe(first);
  expect(secretsIn(`${scene.file}.former.1`)).toEqual([first]);
  expect(statSync(scene.file).mode & 0o777).toBe(0o600);
  expect(statSync(`${scene.file}.former.1`).mode & 0o777).toBe(0o600);
  const keys = await scene.keys();
  expect(opens(keys, [now])).toEqual([true, true, true]);
  expect(opens(keys, [first])).toEqual([false, false, false]);
  expect(await scene.codes([now])).toEqual(['confirmed', 'pending']);
  expect(await scene.codes([first])).toEqual([undefined, undefined]);

  expect((await scene.reseal()).formerFile).toBe(`${scene.file}.former.2`);
  expect(secretsIn(`${scene.file}.former.2`)).toEqual([now]);
  expect(opens(await scene.keys(), secretsIn(scene.file))).toEqual([true, true, true]);
});

test('a command that was interrupted is finished by the next one, without another secret', async () => {
  const scene = await prepare();
  writeFileSync(scene.file, `${second},${first}\n`);
  expect(await scene.reseal()).toMatchObject({ resealed: 3 });
  expect(secretsIn(scene.file)).toEqual([second]);
  expect(opens(await scene.keys(), [second])).toEqual([true, true, true]);
});

test('with the setting, its first secret encrypts what the others and the file open, and no file changes', async () => {
  const scene = await prepare();
  expect(await scene.reseal([second])).toEqual({
    resealed: 3,
    resealedCodes: 2,
    lost: new Map(),
    formerFile: undefined,
  });
  expect(secretsIn(scene.file)).toEqual([first]);
  expect(opens(await scene.keys(), [second])).toEqual([true, true, true]);
  expect(await scene.reseal([second])).toMatchObject({ resealed: 0 });
});

test('keys that no secret opens are left as they are and counted, and the secrets stay in the file', async () => {
  const scene = await prepare();
  const before = await scene.keys();
  writeFileSync(scene.file, `${third},${second}\n`);
  const { secretId } = openKeySecrets([first]);
  expect(await scene.reseal()).toEqual({
    resealed: 0,
    resealedCodes: 0,
    lost: new Map([[secretId, 5]]),
    formerFile: undefined,
  });
  expect(secretsIn(scene.file)).toEqual([third, second]);
  expect(await scene.keys()).toEqual(before);
});

test('more keys than one write takes are all encrypted again', async () => {
  const scene = await prepare(203);
  expect(await scene.reseal()).toMatchObject({ resealed: 203 });
  expect(opens(await scene.keys(), secretsIn(scene.file))).not.toContain(false);
});

test('while a service runs on the folder, its key file is not changed', async () => {
  const scene = await prepare();
  const store = await openSqliteStore({ folder: scene.data, clock: systemClock, log: silentLog });
  await expect(scene.reseal()).rejects.toThrow(/another process is already running/);
  await store.close();
  expect(secretsIn(scene.file)).toEqual([first]);
  expect(existsSync(`${scene.file}.former.1`)).toBe(false);
});
