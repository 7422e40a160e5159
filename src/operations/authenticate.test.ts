import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { scopeRights } from '../model/scope-rights.ts';
import type { Caller, KeyScope } from '../model/account.ts';
import type { Store } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { createAccount } from './create-account.ts';
import { createKey } from './create-key.ts';
import { listKeys } from './read-accounts.ts';
import { newApiKey } from './new-api-key.ts';
import { createOperationContext, type OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { revokeKey } from './revoke-key.ts';

const { context, key: adminKey } = await openOperationScene();
const { store, settings } = context;
const admin = await callerOf(adminKey);
const firstPage = { direction: 'after', key: null, limit: 100 } as const;

async function callerOf(keyText: string): Promise<Caller> {
  const caller = await authenticate(context, keyText);
  if (caller === undefined) throw new Error('the key is refused');
  return caller;
}

async function makeKey(by: Caller, scope: KeyScope): Promise<{ text: string; caller: Caller }> {
  const result = await createKey(context, by, { scope });
  if (!result.ok) throw new Error(result.refusal.message);
  return { text: result.value.keyText, caller: await callerOf(result.value.keyText) };
}

async function makeAccount(): Promise<Caller> {
  const result = await createAccount(context, admin, { name: 'Customer', email: 'c@example.com' });
  if (!result.ok) throw new Error(result.refusal.message);
  return callerOf(result.value.keyText);
}

/** The same store, but it counts lookups of keys and holds their answers until `release()`. */
function heldStore(): { context: OperationContext; lookUps: () => number; release: () => void } {
  let lookUps = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const findKeyByHash = async (hash: string) => {
    lookUps++;
    const key = await store.findKeyByHash(hash);
    await held;
    return key;
  };
  const holding = Object.assign(Object.create(store) as Store, { findKeyByHash });
  return {
    context: createOperationContext({ store: holding, clock: systemClock, settings }),
    lookUps: () => lookUps,
    release: () => release(),
  };
}

test('malformed keys cause no query to the store, and a known caller causes one', async () => {
  const held = heldStore();
  held.release();
  const wrongChecksum = adminKey.slice(0, -1) + (adminKey.endsWith('0') ? '1' : '0');
  for (const text of ['', 'zw_', adminKey.slice(0, -1), `${adminKey}0`, wrongChecksum, 'x'.repeat(9999)]) {
    expect(await authenticate(held.context, text), text).toBeUndefined();
  }
  expect(held.lookUps()).toBe(0);
  for (let i = 0; i < 3; i++) expect(await authenticate(held.context, adminKey)).toEqual(admin);
  expect(held.lookUps()).toBe(1);
  expect(await authenticate(held.context, newApiKey())).toBeUndefined();
  expect(held.lookUps()).toBe(2);
});

test('a caller is looked up again after its cache entry expires', async () => {
  let nowMs = 1_000;
  const held = heldStore();
  held.release();
  const aging = { ...held.context, monotonic: { elapsedMs: () => nowMs } };
  await authenticate(aging, adminKey);
  nowMs += 4_000;
  await authenticate(aging, adminKey);
  expect(held.lookUps()).toBe(1);
  nowMs += 2_000;
  await authenticate(aging, adminKey);
  expect(held.lookUps()).toBe(2);
});

test('a revoked key is refused immediately, even if it was being looked up', async () => {
  const key = await makeKey(admin, 'full');
  expect(await authenticate(context, key.text)).toEqual(key.caller);
  const held = heldStore();
  const underWay = authenticate(held.context, key.text);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await revokeKey(held.context, admin, key.caller.keyId)).toMatchObject({ ok: true });
  held.release();
  await underWay;
  expect(await authenticate(held.context, key.text)).toBeUndefined();
});

test('a revoked key is gone from the list of its account, and cannot be revoked again', async () => {
  const owner = await makeAccount();
  const made = await createKey(context, admin, { scope: 'read', account: owner.accountId });
  if (!made.ok) throw new Error(made.refusal.message);
  const { id } = made.value.key;
  expect(await listKeys(context, admin, owner.accountId, firstPage)).toMatchObject({ value: { total: 2 } });
  expect(await revokeKey(context, admin, id)).toMatchObject({ ok: true });
  expect(await listKeys(context, admin, owner.accountId, firstPage)).toMatchObject({ value: { total: 1 } });
  expect(await revokeKey(context, admin, id)).toMatchObject({ refusal: { code: 'unknown_key' } });
});

test('a key does not revoke itself', async () => {
  expect(await revokeKey(context, admin, admin.keyId)).toMatchObject({
    refusal: { code: 'invalid_request' },
  });
  expect(await authenticate(context, adminKey)).toEqual(admin);
});

test.each([
  [{ name: '', email: 'a@example.com' }, 'name'],
  [{ name: 'x'.repeat(201), email: 'a@example.com' }, 'name'],
  [{ name: 'a\nb', email: 'a@example.com' }, 'name'],
  [{ name: 'x', email: '' }, 'email'],
  [{ name: 'x', email: 'a b@example.com' }, 'email'],
  [{ name: 'x', email: 'example.com' }, 'email'],
])('the account %j is refused', async (input, field) => {
  const refusal = { code: 'invalid_request', field };
  expect(await createAccount(context, admin, input)).toMatchObject({ ok: false, refusal });
});

test('an unknown key is not refused while the first account of a new store is missing', async () => {
  let hasAccount = false;
  const hasFirstAccount = () => hasAccount;
  const starting = createOperationContext({ store, clock: systemClock, settings, hasFirstAccount });
  await expect(authenticate(starting, newApiKey())).rejects.toThrow(StoreUnavailable);
  expect(await authenticate(starting, adminKey)).toMatchObject({ rights: scopeRights.admin });
  hasAccount = true;
  expect(await authenticate(starting, newApiKey())).toBeUndefined();
});
