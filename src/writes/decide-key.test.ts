import { expect, test } from 'vitest';
import type { Account, ApiKey } from '../model/account.ts';
import { decideAtOnce, openBatch } from './decide-scene.test-support.ts';

const account: Account = { id: 'account-1', name: 'One', email: 'one@test.example', createdAtSeconds: 1 };
const key: ApiKey = {
  id: 'key-1',
  accountId: 'account-1',
  hash: 'f'.repeat(64),
  scope: 'full',
  label: '',
  createdAtSeconds: 1,
};

function withAccount() {
  const batch = openBatch();
  expect(decideAtOnce({ kind: 'createAccount', account, key }, batch)).toEqual({
    ok: true,
    changed: true,
    value: { account, key },
  });
  return batch;
}

test('an account is created with its first key', () => {
  const batch = withAccount();
  expect(batch.findAccount('account-1')).toEqual(account);
  expect(batch.findKey('key-1')).toEqual(key);
});

test('a first account is created only if no account exists', () => {
  const batch = openBatch();
  const first = { kind: 'createAccount', account, key, onlyFirst: true } as const;
  expect(decideAtOnce(first, batch)).toMatchObject({ ok: true, value: { account } });
  const changes = batch.finish();
  const second = { ...first, account: { ...account, id: 'account-2' }, key: { ...key, id: 'key-2' } };
  expect(decideAtOnce(second, batch)).toMatchObject({ ok: false, refusal: { code: 'not_first' } });
  expect(batch.finish()).toEqual(changes);
});

test('a key is created for an account that exists, and for no other', () => {
  const batch = withAccount();
  const second = { ...key, id: 'key-2' };
  expect(decideAtOnce({ kind: 'createKey', key: second }, batch)).toEqual({
    ok: true,
    changed: true,
    value: { key: second },
  });
  const changes = batch.finish();
  expect(
    decideAtOnce({ kind: 'createKey', key: { ...key, id: 'key-3', accountId: 'account-9' } }, batch),
  ).toEqual({
    ok: false,
    refusal: {
      code: 'unknown_account',
      message: 'Invalid account: there is no account "account-9"',
      field: 'account',
    },
  });
  expect(batch.finish()).toEqual(changes);
});

test.each([
  ['its own account', 'account-1', 'key-1', true],
  ['an administrator', null, 'key-1', true],
  ['another account', 'account-2', 'key-1', false],
  ['its account under another id', 'account-1', 'key-9', false],
  ['an administrator under another id', null, 'key-9', false],
])('a key is revoked by %s', (_, accountId, keyId, works) => {
  const batch = withAccount();
  const result = decideAtOnce({ kind: 'revokeKey', accountId, keyId }, batch);
  expect(result.ok ? result.value : result.refusal.code).toEqual(works ? key : 'unknown_key');
  expect(batch.findKey('key-1')).toEqual(works ? undefined : key);
});
