// Invitations and members of accounts. Nobody gives away more than it has, and an account never loses its last owner.
import { quoteText } from '../model/quote-text.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { operatorRights, rightsOfMember } from '../model/role-rights.ts';
import { hasSome, type Rights } from '../model/rights.ts';
import {
  authorOfUser,
  MAX_OPEN_INVITATIONS,
  type Invitation,
  type Member,
  type Membership,
} from '../model/user.ts';
import type { CommandOf } from './command.ts';
import { unlinkAll } from './decide-identity.ts';
import { endSessionsOf } from './decide-session.ts';
import { findExcess } from './find-excess.ts';
import type { RemovedMember, SealedInvitation } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { noteRevokedKey } from './key-notes.ts';
import { noteInvitation, noteMember } from './people-notes.ts';

/** Refused the same way whether it never existed, has been used or has expired. */
export function refuseUnknownInvitation(): Refused {
  return refused('unknown_invitation', 'There is no such invitation, or it has been used or has expired');
}

export function refuseUnknownUser(id: string): Refused {
  return refused('unknown_user', `Invalid user: there is no user ${quoteText(id)} in this account`);
}

export function decideCreateInvitation(
  command: CommandOf<'createInvitation'>,
  batch: PendingBatch,
): WriteResult<SealedInvitation> {
  const { invitation, sealed } = command;
  const { accountId, recovers, createdAtSeconds } = invitation;
  const excess =
    recovers === null ? findInvitedExcess(command, batch) : findRecoveryExcess(command, recovers, batch);
  if (excess !== undefined) return excess;
  const open = batch.people.findAll('invitations', 'accountId', accountId).filter((other) => {
    const isOver = other.expiresAtSeconds <= createdAtSeconds;
    if (isOver) batch.people.delete('invitations', other);
    return !isOver;
  });
  if (open.length >= MAX_OPEN_INVITATIONS)
    return refused('quota_exceeded', `An account has at most ${MAX_OPEN_INVITATIONS} open invitations`);
  batch.people.put('invitations', invitation);
  noteInvitation('invitation.create', invitation, batch);
  return written({ invitation, sealed });
}

/** The person who accepts gets these rights. */
function findInvitedExcess(
  { author, invitation, within }: CommandOf<'createInvitation'>,
  batch: PendingBatch,
): Refused | undefined {
  const { accountId, isOperator } = invitation;
  if (batch.findAccount(accountId) === undefined) return refuseUnknownAccount(accountId);
  const wanted = [...rightsOfMember(invitation), ...(isOperator ? operatorRights : [])];
  return findExcess({ author, within }, accountId, wanted, batch);
}

/** Somebody who has the link can do what the user can. */
function findRecoveryExcess(
  { author, within }: CommandOf<'createInvitation'>,
  userId: string,
  batch: PendingBatch,
): Refused | undefined {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refuseUnknownUser(userId);
  const own = user.isOperator ? operatorRights : [];
  const gains: [accountId: string, rights: Rights][] = batch.people
    .findAll('memberships', 'userId', userId)
    .map((member) => [member.accountId, [...rightsOfMember(member), ...own]]);
  if (gains.length === 0) gains.push(['', own]);
  for (const [accountId, rights] of gains) {
    const excess = findExcess({ author, within }, accountId, rights, batch);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

export function decideRevokeInvitation(
  { accountId, id }: CommandOf<'revokeInvitation'>,
  batch: PendingBatch,
): WriteResult<Invitation> {
  const invitation = batch.people.findOne('invitations', 'id', id);
  if (invitation?.accountId !== accountId) return refuseUnknownInvitation();
  noteInvitation('invitation.revoke', invitation, batch);
  batch.people.delete('invitations', invitation);
  return written(invitation);
}

export function decideUpdateMember(
  { author, accountId, userId, role, grants, within }: CommandOf<'updateMember'>,
  batch: PendingBatch,
): WriteResult<Member> {
  const member = findMember(userId, accountId, batch);
  if (member === undefined) return refuseUnknownUser(userId);
  const { user, membership } = member;
  const wanted = [...rightsOfMember(membership), ...rightsOfMember({ role, grants })];
  const refusal =
    findExcess({ author, within }, accountId, wanted, batch) ??
    (role === 'owner' ? undefined : findLastOwner(membership, batch));
  if (refusal !== undefined) return refusal;
  const changed = { ...membership, role, grants };
  batch.people.put('memberships', changed);
  noteMember('member.update', { user, membership: changed }, membership, batch);
  if (!hasSome(rightsOfMember(changed), 'users:write'))
    revokeInvitationsOf(accountId, [authorOfUser(userId)], batch);
  return written({ user, membership: changed });
}

export function decideRemoveMember(
  { author, accountId, userId, within }: CommandOf<'removeMember'>,
  batch: PendingBatch,
): WriteResult<RemovedMember> {
  const member = findMember(userId, accountId, batch);
  if (member === undefined) return refuseUnknownUser(userId);
  const { membership } = member;
  const refusal =
    findExcess({ author, within }, accountId, rightsOfMember(membership), batch) ??
    findLastOwner(membership, batch);
  if (refusal !== undefined) return refusal;
  return written({ member, keyIds: endMembership(member, batch) });
}

/** Ends a membership, and with the last one the user. Returns the ids of the keys that are revoked with it. */
export function endMembership(member: Member, batch: PendingBatch): readonly string[] {
  const { user, membership } = member;
  const { userId, accountId } = membership;
  const keys = batch.findKeysOfUser(userId).filter((key) => key.accountId === accountId);
  noteMember('member.remove', member, undefined, batch);
  for (const key of keys) {
    noteRevokedKey(key, batch);
    batch.deleteKey(key.id);
  }
  revokeInvitationsOf(accountId, [authorOfUser(userId), ...keys.map(({ id }) => id)], batch);
  const isElsewhere = batch.people.findAll('memberships', 'userId', userId).length > 1;
  const isGone = !isElsewhere && !user.isOperator;
  // The account sees it as long as the user belongs to it.
  if (isGone) unlinkAll(userId, batch);
  batch.people.delete('memberships', membership);
  endSessionsOf(userId, batch);
  if (isGone) batch.people.delete('users', user);
  return keys.map(({ id }) => id);
}

/** A user who may no longer invite neither comes back nor brings somebody with a link from before. */
function revokeInvitationsOf(accountId: string, authors: readonly string[], batch: PendingBatch): void {
  for (const invitation of batch.people.findAll('invitations', 'accountId', accountId)) {
    if (!authors.includes(invitation.createdBy)) continue;
    noteInvitation('invitation.revoke', invitation, batch);
    batch.people.delete('invitations', invitation);
  }
}

export function findMember(userId: string, accountId: string, batch: PendingBatch): Member | undefined {
  const membership = batch.people.findMembership(userId, accountId);
  const user = batch.people.findOne('users', 'id', userId);
  return user === undefined || membership === undefined ? undefined : { user, membership };
}

function findLastOwner(member: Membership, batch: PendingBatch): Refused | undefined {
  if (member.role !== 'owner') return undefined;
  const owners = batch.people
    .findAll('memberships', 'accountId', member.accountId)
    .filter(({ role }) => role === 'owner');
  if (owners.length > 1) return undefined;
  return refused('last_owner', 'The account would have no owner; make another user an owner first');
}
