// The removal of a deleted account whose time has passed, one part after the other: keys, invitations, people, domains, and
// at the end the account itself. Its domains are deleted like all others, so that feed and serials are right, but as of the
// moment at which the account was deleted: their records go with the next upkeep. Kept outcomes and history expire by
// themselves, and the account has written none since.
import type { Account } from '../model/account.ts';
import { dueAtMs, isSameStanding, type Deletion } from '../model/account-standing.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { AccountSlice } from './account-command.ts';
import type { CommandOf } from './command.ts';
import { endMembership, findMember } from './decide-member.ts';
import { changeStanding } from './decide-standing.ts';
import type { PendingBatch } from './pending-batch.ts';

/** Members that one slice removes: each has up to `MAX_USER_SESSIONS` sessions, and is found with some queries. */
const SLICE_MEMBERS = 10;

/** Domains that one slice deletes, each with a row that is moved and an entry of the feed: some milliseconds. */
const SLICE_DOMAINS = 100;

export function decideRemoveAccount(
  { accountId, seen, atMs }: CommandOf<'removeAccount'>,
  batch: PendingBatch,
): WriteResult<AccountSlice> {
  const account = batch.findAccount(accountId);
  if (account === undefined) return written({ moved: false, account: null }, false);
  const { standing } = account;
  const unmoved = written({ moved: false, account }, false);
  if (standing === undefined || standing.deletion === null || !isSameStanding(standing, seen)) return unmoved;
  if (atMs < Math.max(standing.deletion.heldUntilMs, dueAtMs(standing) ?? 0)) return unmoved;
  return written({ moved: true, account: removePart(account, standing.deletion, atMs, batch) });
}

/** Returns null if the account is gone. */
function removePart(account: Account, before: Deletion, atMs: number, batch: PendingBatch): Account | null {
  const slices = (before.slices ?? 0) + 1;
  if (removeSome(account.id, before, batch))
    return changeStanding(account, { deletion: { ...before, slices, emptiedAtMs: null } }, batch);
  if (before.emptiedAtMs === null)
    return changeStanding(account, { deletion: { ...before, slices, emptiedAtMs: atMs } }, batch);
  const { id, name, email } = account;
  batch.trail.note({ accountId: '', action: 'account.remove', object: id, detail: { name, email } });
  batch.accounts.deleteAccount(id);
  return null;
}

/** Returns false if nothing is left. */
function removeSome(accountId: string, deletion: Deletion, batch: PendingBatch): boolean {
  return (
    removeKeys(accountId, batch) ||
    removeInvitations(accountId, batch) ||
    removeAccesses(accountId, batch) ||
    removeMembers(accountId, batch) ||
    removeDomains(accountId, deletion, batch)
  );
}

function removeKeys(accountId: string, batch: PendingBatch): boolean {
  const keys = batch.accounts.findKeysOfAccount(accountId, false);
  for (const { id } of keys) batch.deleteKey(id);
  return keys.length > 0;
}

function removeInvitations(accountId: string, batch: PendingBatch): boolean {
  const invitations = batch.people.findAll('invitations', 'accountId', accountId);
  for (const invitation of invitations) batch.people.delete('invitations', invitation);
  return invitations.length > 0;
}

/** Those of operators, who have looked into the account. */
function removeAccesses(accountId: string, batch: PendingBatch): boolean {
  const accesses = batch.people.findAll('accesses', 'accountId', accountId);
  for (const access of accesses) batch.people.delete('accesses', access);
  return accesses.length > 0;
}

function removeMembers(accountId: string, batch: PendingBatch): boolean {
  const members = batch.people.findAll('memberships', 'accountId', accountId).slice(0, SLICE_MEMBERS);
  for (const membership of members) {
    const member = findMember(membership.userId, accountId, batch);
    if (member === undefined) batch.people.delete('memberships', membership);
    else endMembership(member, batch);
  }
  return members.length > 0;
}

function removeDomains(accountId: string, { atMs }: Deletion, batch: PendingBatch): boolean {
  const names = batch.accounts.domainNamesAfter(accountId, '', SLICE_DOMAINS);
  for (const name of names) {
    const domain = batch.findDomain(name);
    // One that this batch has signed again is deleted in the next one, with these signatures.
    if (domain?.accountId === accountId && !batch.signing.isDue(name))
      batch.deleteDomain(domain, false, atMs);
  }
  return names.length > 0;
}
