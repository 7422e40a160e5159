import { expect, test } from 'vitest';
import type { ApiKey } from '../../model/account.ts';
import { newInvitation } from './people-suite.test-support.ts';
import { newId, newKey, START_SECONDS, type StoreScene } from './store-scene.test-support.ts';

/** Repeated writes and dry runs for accounts and keys. */
export function accountWriteSuite(scene: () => StoreScene): void {
  repeatSuite(scene);
  openSuite(scene);
  dryRunSuite(scene);
}

function repeatSuite(scene: () => StoreScene): void {
  test('a repeated creation of a key returns the first key with its sealed secret', async () => {
    const { account, author } = await scene().newAccount();
    const keyed = (hash: string) => ({ ...author, idempotency: { key: 'k', hash } });
    const ask = (hash: string, key: ApiKey, sealed: string) =>
      scene().store.write({ kind: 'createKey', author: keyed(hash), key, sealed });
    const [one, other] = [newKey(account.id), newKey(account.id)];
    const results = await Promise.all([ask('h', one, 'seal of one'), ask('h', other, 'seal of other')]);
    expect(results).toEqual([
      { ok: true, changed: true, value: { key: one, sealed: 'seal of one' } },
      { ok: true, changed: true, value: { key: one, sealed: 'seal of one' } },
    ]);
    expect(await ask('h', other, 'seal of other')).toEqual(results[0]);
    expect(await ask('i', other, 'seal of other')).toMatchObject({
      refusal: { code: 'idempotency_mismatch' },
    });
    expect(await scene().store.findKeyByHash(other.hash)).toBeUndefined();
    const unsealed = await scene().store.write({ kind: 'createKey', author, key: other });
    expect(unsealed).toEqual({ ok: true, changed: true, value: { key: other } });
  });

  test('a repeated creation of an account returns the first account with the sealed secret of its key', async () => {
    const { author } = await scene().newAccount();
    const ask = (sealed: string) => {
      const account = { id: newId(), name: 'New', email: '', createdAtSeconds: START_SECONDS };
      const terms = { author: { ...author, idempotency: { key: 'k', hash: 'h' } }, sealed };
      return scene().store.write({ kind: 'createAccount', ...terms, account, key: newKey(account.id) });
    };
    const first = await ask('one');
    const { total } = await scene().store.listAccounts({ direction: 'after', key: null, limit: 1 });
    expect(first).toMatchObject({ ok: true, changed: true, value: { sealed: 'one' } });
    expect(await ask('other')).toEqual(first);
    const after = await scene().store.listAccounts({ direction: 'after', key: null, limit: 1 });
    expect(after.total).toBe(total);
    if (first.ok) scene().accounts.push(first.value.account);
  });
}

function openSuite(scene: () => StoreScene): void {
  test('an account is opened without a key and with one invitation, once, and its trail says so', async () => {
    const { author } = await scene().newAccount();
    const ask = (sealed: string) => {
      const account = { id: newId(), name: 'New', email: '', createdAtSeconds: START_SECONDS };
      const invitation = newInvitation(account.id, { role: 'owner', grants: null });
      const terms = { author: { ...author, idempotency: { key: 'o', hash: 'h' } }, sealed };
      return scene().must({ kind: 'openAccount', ...terms, account, invitation });
    };
    const first = await ask('one');
    expect(await ask('two')).toEqual(first);
    const { account, invitation } = first;
    scene().accounts.push(account);
    const { store } = scene();
    const page = { direction: 'after', key: null, limit: 9 } as const;
    expect(await store.findAccount(account.id)).toMatchObject({ id: account.id, name: 'New' });
    expect((await store.listKeys(account.id, page)).rows).toEqual([]);
    expect(await store.people.find('invitations', 'accountId', [account.id])).toEqual([invitation]);
  });
}

function dryRunSuite(scene: () => StoreScene): void {
  test('a dry run of writes to accounts and keys returns the result and changes nothing', async () => {
    const { account, key, author } = await scene().newAccount();
    const dry = { author, dryRun: true } as const;
    const other = newKey(account.id);
    const made = { id: newId(), name: 'New', email: '', createdAtSeconds: START_SECONDS };
    const page = { direction: 'after', key: null, limit: 10 } as const;
    const { total } = await scene().store.listAccounts(page);
    const write = scene().store.write.bind(scene().store);
    expect(await write({ kind: 'createKey', ...dry, key: other })).toEqual({
      ok: true,
      changed: true,
      value: { key: other },
    });
    expect(await write({ kind: 'createAccount', ...dry, account: made, key: newKey(made.id) })).toMatchObject(
      { ok: true, value: { account: made } },
    );
    const revoke = { kind: 'revokeKey', ...dry, accountId: account.id } as const;
    expect(await write({ ...revoke, keyId: key.id })).toEqual({ ok: true, changed: true, value: key });
    expect(await write({ ...revoke, keyId: other.id })).toMatchObject({ refusal: { code: 'unknown_key' } });
    expect(await scene().store.listKeys(account.id, page)).toMatchObject({ rows: [key], total: 1 });
    expect(await scene().store.findKeyByHash(other.hash)).toBeUndefined();
    expect((await scene().store.listAccounts(page)).total).toBe(total);
  });
}
