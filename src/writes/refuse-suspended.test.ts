import { expect, test } from 'vitest';
import { noUsage } from '../model/account-limits.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import type { Invitation } from '../model/user.ts';
import type { Command } from './command.ts';
import {
  author,
  decideAtOnce,
  openBatch,
  record,
  storedZone,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import { recordReads } from './decision-basis.ts';
import { PendingBatch } from './pending-batch.ts';
import { rebaseWrites } from './prepared-write.ts';
import { noCounters, readMemoryRows, type MemoryRows } from './row-reader.test-support.ts';

const suspended: AccountStanding = {
  suspension: { reason: 'Call us', answers: 'go_on', atMs: 1 },
  deletion: null,
  sweep: null,
};
const deleted: AccountStanding = {
  suspension: null,
  deletion: { atMs: 1, heldUntilMs: 2, slices: null, emptiedAtMs: null },
  sweep: null,
};
const key = {
  id: 'key-9',
  accountId: author.accountId,
  hash: 'k',
  scope: 'full',
  label: '',
  createdAtSeconds: 1,
} as const;
const invitation: Invitation = {
  ...{ id: 'i', hash: 'of a token', accountId: author.accountId, email: null, role: 'owner', grants: null },
  ...{ isOperator: false, recovers: null, createdAtSeconds: 0, expiresAtSeconds: 9, createdBy: '' },
};
const user = { id: 'u', email: 'u@example.net', name: '', passwordHash: null };
const accept = {
  kind: 'acceptInvitation',
  hash: invitation.hash,
  user,
  proven: null,
  atSeconds: 1,
} as const;
const createRecord: Command = {
  kind: 'createRecord',
  author,
  domain: zone,
  record: record('r1', 'www A 192.0.2.1'),
};

function rowsOf(standing: AccountStanding | undefined): MemoryRows {
  const account = { id: author.accountId, name: 'One', email: '', createdAtSeconds: 0, standing };
  return {
    accounts: [account, { ...account, id: stranger.accountId, standing: undefined }],
    keys: [key],
    quotas: { [author.accountId]: { usage: { ...noUsage, domains: 1 }, overrides: {}, standing } },
    domains: [{ ...storedZone, recordCount: 0 }],
    people: { invitations: [invitation] },
  };
}

function outcome(command: Command, standing: AccountStanding | null = suspended) {
  const batch = openBatch(rowsOf(standing ?? undefined));
  const result = decideAtOnce(command, batch);
  return result.ok ? 'done' : result.refusal.code;
}

const operator = { accountId: author.accountId, keyId: 'user:o', userId: 'o', atMs: 1 };
const other = stranger.accountId;

test.each<[string, Command]>([
  ['a record', createRecord],
  ['a record in a dry run', { ...createRecord, dryRun: true }],
  ['a key', { kind: 'createKey', author, key: { ...key, id: 'key-10' } }],
  ['a domain', { kind: 'createDomain', author, name: zone, address: null, nameservers: [] }],
  ['a member, by an invitation', accept],
  [
    'whether its domain is served, by showing control of it',
    { kind: 'settleClaim', author, domain: zone, id: storedZone.id, proof: 'challenge' },
  ],
  [
    'itself, by a user of the account',
    {
      kind: 'deleteAccount',
      author: operator,
      accountId: author.accountId,
      typedName: 'One',
      atMs: 3,
      heldUntilMs: 4,
    },
  ],
  [
    'limits of others, with a key of the account',
    { kind: 'updateLimits', author, accountId: other, overrides: {} },
  ],
])('a suspended account cannot change %s', (_, command) => {
  expect(outcome(command)).toBe('account_suspended');
  expect(outcome(command, deleted)).toBe('account_suspended');
  expect(outcome(command, null)).not.toBe('account_suspended');
});

test.each<[string, Command]>([
  ['a key is revoked', { kind: 'revokeKey', author, accountId: author.accountId, keyId: key.id }],
  ['an invitation is revoked', { kind: 'revokeInvitation', author, accountId: author.accountId, id: 'i' }],
  ['the service notes uses of keys', { kind: 'noteKeyUses', uses: [{ keyId: key.id, atSeconds: 5 }] }],
  [
    'an operator who belongs to it manages others',
    { kind: 'updateLimits', author: operator, accountId: other, overrides: {} },
  ],
  [
    'an operator changes its limits',
    { kind: 'updateLimits', author: stranger, accountId: author.accountId, overrides: {} },
  ],
  [
    'another account writes',
    {
      kind: 'createDomain',
      author: stranger,
      name: 'other.example' as typeof zone,
      address: null,
      nameservers: [],
    },
  ],
])('while an account is suspended, %s', (_, command) => {
  expect(outcome(command)).toBe('done');
  expect(outcome(command, deleted)).toBe('done');
});

test('the refusal shows the reason of the operator', () => {
  const result = decideAtOnce(createRecord, openBatch(rowsOf(suspended)));
  expect(result).toMatchObject({
    ok: false,
    refusal: { message: 'This account is suspended, so that nothing in it can be changed: Call us' },
  });
});

test('writes are refused from the suspension on, and possible after its end, within one batch', () => {
  const batch = openBatch(rowsOf(undefined));
  const accountId = author.accountId;
  const suspend: Command = {
    kind: 'suspendAccount',
    author: stranger,
    accountId,
    suspension: suspended.suspension!,
  };
  expect(decideAtOnce(suspend, batch)).toMatchObject({ ok: true, changed: true });
  expect(decideAtOnce(createRecord, batch)).toMatchObject({ refusal: { code: 'account_suspended' } });
  expect(decideAtOnce(suspend, batch)).toMatchObject({ ok: true, changed: false });
  expect(decideAtOnce({ kind: 'resumeAccount', author: stranger, accountId }, batch)).toMatchObject({
    ok: true,
  });
  expect(decideAtOnce(createRecord, batch)).toMatchObject({ ok: true });
  expect(batch.finish().changedAccounts).toEqual([
    expect.objectContaining({ id: accountId, standing: undefined }),
  ]);
});

test('a write that was prepared before the suspension is not taken over', () => {
  const { reader, basis } = recordReads(readMemoryRows(rowsOf(undefined)));
  const counters = { ...noCounters, lastDomainId: 1, domainCount: 1 };
  const batch = new PendingBatch(reader, counters);
  expect(decideAtOnce(createRecord, batch)).toMatchObject({ ok: true });
  const prepared = { basis, counters, hasReservedId: false, writes: batch.finish() };
  expect(rebaseWrites(prepared, counters, readMemoryRows(rowsOf(undefined))).kind).toBe('ready');
  expect(rebaseWrites(prepared, counters, readMemoryRows(rowsOf(suspended))).kind).toBe('moved');
});
