import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { authenticate } from './authenticate.ts';
import { createAccount } from './create-account.ts';
import { createKey, type NewKey } from './create-key.ts';
import { listAccounts, listKeys } from './read-accounts.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import type { Requester, RequestTerms } from './requester.ts';
import { revokeKey } from './revoke-key.ts';

const { context, caller, key: adminKey, folder } = await openOperationScene();
const page = { direction: 'after', key: null, limit: 100 } as const;
const hash = 'f'.repeat(64);
const input = { name: 'Customer', email: 'c@example.com' };

function repeatable(key: string, terms: RequestTerms & { hash?: string; bearer?: string } = {}): Requester {
  const { bearer = adminKey, ...rest } = terms;
  return {
    ...caller,
    terms: { idempotency: { key, hash: terms.hash ?? hash, bearerText: () => bearer }, ...rest },
  };
}

async function mustCreateKey(by: Requester, asked: NewKey = {}) {
  const result = await createKey(context, by, asked);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

async function mustCreateAccount(by: Requester) {
  const result = await createAccount(context, by, input);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

async function countKeys(accountId?: string): Promise<number> {
  const keys = await listKeys(context, caller, accountId, page);
  return keys.ok ? keys.value.total : 0;
}

/** Returns the bytes of all files of the store. */
function storedBytes(): Buffer {
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}

test('repeating the creation of a key returns the same key with its text, and creates no second key', async () => {
  const before = await countKeys();
  const first = await mustCreateKey(repeatable('one'), { label: 'ci' });
  const [again, once] = await Promise.all([
    mustCreateKey(repeatable('one'), { label: 'ci' }),
    mustCreateKey(repeatable('one'), { label: 'ci' }),
  ]);
  expect([again, once]).toEqual([first, first]);
  expect(await countKeys()).toBe(before + 1);
  expect(await authenticate(context, first.keyText)).toMatchObject({ keyId: first.key.id });
  expect(await createKey(context, repeatable('one', { hash: 'e'.repeat(64) }), {})).toMatchObject({
    refusal: { code: 'idempotency_mismatch' },
  });
  expect((await mustCreateKey(caller)).keyText).not.toBe(first.keyText);
});

test('concurrent repeats of a creation all get the text of the one key', async () => {
  const before = await countKeys();
  const made = await Promise.all(Array.from({ length: 10 }, () => mustCreateKey(repeatable('at once'))));
  expect(new Set(made.map(({ keyText }) => keyText)).size).toBe(1);
  expect(await countKeys()).toBe(before + 1);
});

test('repeating the creation of an account returns the same account with its key, and creates no second account', async () => {
  const first = await mustCreateAccount(repeatable('account'));
  expect(await mustCreateAccount(repeatable('account'))).toEqual(first);
  expect(await authenticate(context, first.keyText)).toMatchObject({ accountId: first.account.id });
  expect(await countKeys(first.account.id)).toBe(1);
  // Keys for another account belong to the idempotency keys of the requesting key.
  const asked = { account: first.account.id, scope: 'read' } as const;
  const key = await mustCreateKey(repeatable('for another'), asked);
  expect(await mustCreateKey(repeatable('for another'), asked)).toEqual(key);
  expect(await countKeys(first.account.id)).toBe(2);
});

test('a repeat of its creation does not restore a revoked key', async () => {
  const made = await mustCreateKey(repeatable('revoked'));
  await revokeKey(context, caller, made.key.id);
  expect(await mustCreateKey(repeatable('revoked'))).toEqual(made);
  expect(await authenticate(context, made.keyText)).toBeUndefined();
});

test('keys are readable neither in the files of the store nor in a logged request', async () => {
  const made = await mustCreateKey(repeatable('secret'));
  const opened = await mustCreateAccount(repeatable('secret account'));
  const bytes = storedBytes();
  expect(bytes.includes(made.key.hash)).toBe(true);
  for (const text of [adminKey, made.keyText, opened.keyText]) {
    for (const form of [text, text.slice(3, 35), Buffer.from(text).toString('base64url').slice(4, -4)]) {
      expect(bytes.includes(form)).toBe(false);
    }
  }
  const shown = [inspect(repeatable('x'), { depth: 9, showHidden: true }), JSON.stringify(repeatable('x'))];
  for (const text of shown) expect(text).not.toContain(adminKey.slice(3, 35));
});

test('a text sealed under another key is a bug, and its error contains no secret', async () => {
  const made = await mustCreateKey(repeatable('broken'));
  const other = made.keyText;
  const error: unknown = await createKey(context, repeatable('broken', { bearer: other }), {}).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    message: `assertion failed: the sealed text of key ${made.key.id} can be opened`,
  });
  expect(inspect(error)).not.toContain(other.slice(3, 35));
});

test('a dry run returns what would be created or revoked, changes nothing and is not stored', async () => {
  const before = await countKeys();
  const dry = repeatable('dry', { dryRun: true });
  expect(await createKey(context, dry, { label: 'ci', scope: 'read' })).toMatchObject({
    ok: true,
    value: { key: { label: 'ci', scope: 'read', accountId: caller.accountId } },
  });
  const account = await createAccount(context, dry, input);
  expect(account).toMatchObject({ ok: true, value: { account: input, key: { scope: 'full' } } });
  const { total } = await listAll();
  const made = await mustCreateKey(repeatable('dry'));
  expect(await authenticate(context, made.keyText)).toBeDefined();
  expect(await revokeKey(context, dry, made.key.id)).toEqual({ ok: true, changed: true, value: made.key });
  expect(await authenticate(context, made.keyText)).toBeDefined();
  expect(await countKeys()).toBe(before + 1);
  expect((await listAll()).total).toBe(total);
});

test('a dry run is refused if the write would be', async () => {
  const dry = { ...caller, terms: { dryRun: true } } as const;
  const nobody = '01930000-0000-7000-8000-000000000000';
  for (const [result, code] of [
    [await createKey(context, dry, { account: nobody }), 'unknown_account'],
    [await createKey(context, dry, { label: 'x'.repeat(201) }), 'invalid_request'],
    [await createAccount(context, dry, { ...input, name: '' }), 'invalid_request'],
    [await revokeKey(context, dry, nobody), 'unknown_key'],
    [await revokeKey(context, dry, caller.keyId), 'invalid_request'],
  ] as const) {
    expect(result).toMatchObject({ ok: false, refusal: { code } });
  }
});

async function listAll(): Promise<{ total: number }> {
  const accounts = await listAccounts(context, page);
  return accounts.ok ? accounts.value : { total: 0 };
}
