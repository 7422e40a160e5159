import { expect, test } from 'vitest';
import { noUsage } from '../model/account-limits.ts';
import type { AccountStanding, Suspension } from '../model/account-standing.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { Command } from './command.ts';
import { author as operator, decideAtOnce, openBatch, stranger } from './decide-scene.test-support.ts';

const accountId = stranger.accountId;
const account: Account = { id: accountId, name: 'Two', email: '', createdAtSeconds: 0 };
const key: ApiKey = { id: 'key-2', accountId, hash: 'k', scope: 'full', label: '', createdAtSeconds: 1 };
const suspension: Suspension = { reason: 'Call us', answers: 'stop', atMs: 5 };
const suspend = { kind: 'suspendAccount', author: operator, accountId, suspension } as const;
const resume = { kind: 'resumeAccount', author: operator, accountId } as const;
const remove = {
  kind: 'deleteAccount',
  author: operator,
  accountId,
  typedName: null,
  atMs: 10,
  heldUntilMs: 30,
} as const;
const restore = { kind: 'restoreAccount', author: operator, accountId } as const;
const deletion = { atMs: 10, heldUntilMs: 30, slices: null, emptiedAtMs: null };
const sweep = { after: '', done: 0, total: 7 };

function open(standing?: AccountStanding, keys: readonly ApiKey[] = [key]) {
  return openBatch({
    accounts: [{ ...account, standing }],
    keys,
    quotas: { [accountId]: { usage: { ...noUsage, domains: 7 }, overrides: {}, standing } },
  });
}

/** The standing that the account has after the commands, or the code of the last refusal. */
function after(commands: readonly Command[], standing?: AccountStanding) {
  const batch = open(standing);
  const results = commands.map((command) => decideAtOnce(command, batch));
  const last = results.at(-1);
  return last?.ok === false ? last.refusal.code : (batch.findAccount(accountId)?.standing ?? 'active');
}

test('a suspension that stops answers begins to withhold the domains', () => {
  expect(after([suspend])).toEqual({ suspension, deletion: null, sweep });
  const goingOn = { ...suspension, answers: 'go_on' as const };
  expect(after([{ ...suspend, suspension: goingOn }])).toEqual({
    suspension: goingOn,
    deletion: null,
    sweep: null,
  });
});

test('the end of a suspension begins to serve the domains again, wherever the sweep was', () => {
  const middle = { suspension, deletion: null, sweep: { after: 'm.example', done: 3, total: 7 } };
  expect(after([resume], middle)).toEqual({ suspension: null, deletion: null, sweep });
  const goingOn = { ...suspension, answers: 'go_on' as const };
  expect(after([{ ...suspend, suspension: goingOn }], middle)).toEqual({
    suspension: goingOn,
    deletion: null,
    sweep,
  });
  expect(after([{ ...suspend, suspension: { ...suspension, reason: 'Other' } }], middle)).toMatchObject({
    suspension: { reason: 'Other' },
    sweep: { after: 'm.example' },
  });
  expect(after([resume])).toBe('active');
});

test('a deleted account is withheld, and is again what it was when it is restored', () => {
  expect(after([remove])).toEqual({ suspension: null, deletion, sweep });
  const withheld = { suspension, deletion: null, sweep: null };
  expect(after([remove], withheld)).toEqual({ suspension, deletion, sweep: null });
  expect(after([remove, restore], withheld)).toEqual(withheld);
  expect(after([remove, restore], undefined)).toEqual({ suspension: null, deletion: null, sweep });
  expect(after([remove, { ...remove, atMs: 20, heldUntilMs: 40 }])).toMatchObject({ deletion });
  expect(after([restore])).toBe('active');
});

test('an account of which parts are gone cannot be restored', () => {
  const removing = { suspension: null, deletion: { ...deletion, slices: 1 }, sweep: null };
  expect(after([restore], removing)).toBe('unknown_account');
});

test('an owner confirms the deletion with the name of the account', () => {
  expect(after([{ ...remove, author: stranger, typedName: 'two' }])).toBe('invalid_request');
  expect(after([{ ...remove, author: stranger, typedName: 'Two' }])).toMatchObject({ deletion });
});

test('an account cannot suspend itself, and an unknown one cannot be suspended', () => {
  expect(after([{ ...suspend, author: stranger }])).toBe('invalid_request');
  for (const command of [suspend, resume, remove, restore])
    expect(after([{ ...command, accountId: 'account-9' }])).toBe('unknown_account');
});

test.each<[string, Partial<ApiKey>]>([
  ['of scope admin', { scope: 'admin' }],
  [
    'that manages accounts by its rights',
    {
      scope: 'limited',
      limits: {
        rights: [{ may: ['accounts:write'], domains: null, names: null, types: null }],
        networks: null,
        expiresAtSeconds: null,
      },
    },
  ],
])('an account with a key %s is neither suspended nor deleted', (_, fields) => {
  for (const command of [suspend, remove]) {
    const batch = open(undefined, [key, { ...key, id: 'key-3', ...fields }]);
    expect(decideAtOnce(command, batch)).toMatchObject({
      refusal: { code: 'administrative_account', message: expect.stringContaining('key-3') as string },
    });
    expect(
      decideAtOnce({ kind: 'revokeKey', author: operator, accountId: null, keyId: 'key-3' }, batch).ok,
    ).toBe(true);
    expect(decideAtOnce(command, batch).ok).toBe(true);
  }
});
