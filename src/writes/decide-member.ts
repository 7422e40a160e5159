// Invitations and members of accounts. Nobody gives away more than it has, and an account never loses its last owner.
import { quoteText } from '../model/quote-text.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { rightsOfMember } from '../model/role-rights.ts';
import { coversRights, type Rights } from '../model/rights.ts';
import {
  MAX_ACCOUNT_USERS,
  MAX_OPEN_INVITATIONS,
  MAX_USER_ACCOUNTS,
  type Invitation,
  type Membership,
  type User,
} from '../model/user.ts';
import type { Author, CommandOf } from './command.ts';
import type { AcceptedInvitation, RemovedMember, SealedInvitation } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { findLinkRefusal, linkIdentity, unlinkAll } from './decide-identity.ts';
import { endSessionsOf } from './decide-session.ts';

/** Refused the same way whether it never existed, has been used or has expired. */
function refuseUnknownInvitation(): Refused {
  return refused('unknown_invitation', 'There is no such invitation, or it has been used or has expired');
}

export function refuseUnknownUser(id: string): Refused {
  return refused('unknown_user', `Invalid user: there is no user ${quoteText(id)} in this account`);
}

export function decideCreateInvitation(
  { author, invitation, sealed, within }: CommandOf<'createInvitation'>,
  batch: PendingBatch,
): WriteResult<SealedInvitation> {
  const { accountId, recovers, createdAtSeconds } = invitation;
  if (recovers === null && batch.findAccount(accountId) === undefined) return refuseUnknownAccount(accountId);
  const excess = findExcess(author, accountId, rightsOfMember(invitation), within, batch);
  if (excess !== undefined) return excess;
  const open = batch.people.findAll('invitations', 'accountId', accountId).filter((other) => {
    const isOver = other.expiresAtSeconds <= createdAtSeconds;
    if (isOver) batch.people.delete('invitations', other);
    return !isOver;
  });
  if (open.length >= MAX_OPEN_INVITATIONS)
    return refused('quota_exceeded', `An account has at most ${MAX_OPEN_INVITATIONS} open invitations`);
  batch.people.put('invitations', invitation);
  return written({ invitation, sealed });
}

export function decideRevokeInvitation(
  { accountId, id }: CommandOf<'revokeInvitation'>,
  batch: PendingBatch,
): WriteResult<null> {
  const invitation = batch.people.findOne('invitations', 'id', id);
  if (invitation?.accountId !== accountId) return refuseUnknownInvitation();
  batch.people.delete('invitations', invitation);
  return written(null);
}

/** The second of two requests with the same token finds no invitation. */
export function decideAcceptInvitation(
  command: CommandOf<'acceptInvitation'>,
  batch: PendingBatch,
): WriteResult<AcceptedInvitation> {
  const invitation = batch.people.findOne('invitations', 'hash', command.hash);
  if (invitation === undefined || invitation.expiresAtSeconds <= command.atSeconds)
    return refuseUnknownInvitation();
  const accepted =
    invitation.recovers === null
      ? joinAccount(invitation, command, batch)
      : recoverUser(invitation.recovers, command, batch);
  if (accepted.ok) batch.people.delete('invitations', invitation);
  return accepted;
}

function recoverUser(
  userId: string,
  { user: { passwordHash } }: CommandOf<'acceptInvitation'>,
  batch: PendingBatch,
): WriteResult<AcceptedInvitation> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refuseUnknownInvitation();
  const recovered = { ...user, passwordHash, factors: null };
  batch.people.put('users', recovered);
  unlinkAll(userId, batch);
  endSessionsOf(userId, batch);
  return written({ user: recovered, accountId: '' });
}

function joinAccount(
  invitation: Invitation,
  { user: sent, provenUserId, identity, atSeconds }: CommandOf<'acceptInvitation'>,
  batch: PendingBatch,
): WriteResult<AcceptedInvitation> {
  const { accountId, role, grants, isOperator } = invitation;
  if (batch.findAccount(accountId) === undefined) return refuseUnknownInvitation();
  const email = invitation.email ?? sent.email;
  const known = batch.people.findOne('users', 'email', email);
  if (known !== undefined && known.id !== provenUserId)
    return refused('invalid_login', 'The e-mail address or the password is wrong');
  const linked = identity && findLinkRefusal(identity, known?.id ?? sent.id, batch);
  if (linked !== undefined) return linked;
  const excess = findFullAccount(accountId, known, batch);
  if (excess !== undefined) return excess;
  const before = known ?? {
    ...sent,
    email,
    createdAtSeconds: atSeconds,
    isOperator: false,
    factors: null,
  };
  const user: User = { ...before, isOperator: before.isOperator || isOperator };
  if (user.isOperator !== known?.isOperator) batch.people.put('users', user);
  batch.people.put('memberships', { userId: user.id, accountId, role, grants, createdAtSeconds: atSeconds });
  if (identity !== undefined)
    linkIdentity({ ...identity, userId: user.id, createdAtSeconds: atSeconds }, batch);
  return written({ user, accountId });
}

function findFullAccount(
  accountId: string,
  known: User | undefined,
  batch: PendingBatch,
): Refused | undefined {
  if (batch.people.findAll('memberships', 'accountId', accountId).length >= MAX_ACCOUNT_USERS)
    return refused('quota_exceeded', `An account has at most ${MAX_ACCOUNT_USERS} users`);
  if (known === undefined) return undefined;
  const accounts = batch.people.findAll('memberships', 'userId', known.id);
  if (accounts.some((member) => member.accountId === accountId))
    return refused('user_exists', 'The user belongs to the account already');
  if (accounts.length >= MAX_USER_ACCOUNTS)
    return refused('quota_exceeded', `A user belongs to at most ${MAX_USER_ACCOUNTS} accounts`);
  return undefined;
}

export function decideUpdateMember(
  { author, accountId, userId, role, grants, within }: CommandOf<'updateMember'>,
  batch: PendingBatch,
): WriteResult<null> {
  const member = batch.people.findMembership(userId, accountId);
  if (member === undefined) return refuseUnknownUser(userId);
  const wanted = [...rightsOfMember(member), ...rightsOfMember({ role, grants })];
  const refusal =
    findExcess(author, accountId, wanted, within, batch) ??
    (role === 'owner' ? undefined : findLastOwner(member, batch));
  if (refusal !== undefined) return refusal;
  batch.people.put('memberships', { ...member, role, grants });
  return written(null);
}

export function decideRemoveMember(
  { author, accountId, userId, within }: CommandOf<'removeMember'>,
  batch: PendingBatch,
): WriteResult<RemovedMember> {
  const member = batch.people.findMembership(userId, accountId);
  if (member === undefined) return refuseUnknownUser(userId);
  const refusal =
    findExcess(author, accountId, rightsOfMember(member), within, batch) ?? findLastOwner(member, batch);
  if (refusal !== undefined) return refusal;
  batch.people.delete('memberships', member);
  endSessionsOf(userId, batch);
  const keyIds = batch
    .findKeysOfUser(userId)
    .filter((key) => key.accountId === accountId)
    .map(({ id }) => id);
  for (const id of keyIds) batch.deleteKey(id);
  const user = batch.people.findOne('users', 'id', userId);
  const isElsewhere = batch.people.findAll('memberships', 'userId', userId).length > 0;
  if (user !== undefined && !isElsewhere && !user.isOperator) {
    unlinkAll(userId, batch);
    batch.people.delete('users', user);
  }
  return written({ keyIds });
}

function findLastOwner(member: Membership, batch: PendingBatch): Refused | undefined {
  if (member.role !== 'owner') return undefined;
  const owners = batch.people
    .findAll('memberships', 'accountId', member.accountId)
    .filter(({ role }) => role === 'owner');
  if (owners.length > 1) return undefined;
  return refused('last_owner', 'The account would have no owner; make another user an owner first');
}

/**
 * Refuses rights that the author does not have itself. A user may have lost its own rights since the request was admitted, so
 * they are read here. Operators give any rights, because they make accounts for others.
 *
 * @param within the rights of a key
 */
export function findExcess(
  author: Author | undefined,
  accountId: string,
  wanted: Rights,
  within: Rights,
  batch: PendingBatch,
): Refused | undefined {
  const own = author?.userId === undefined ? within : rightsOfUser(author.userId, accountId, batch);
  if (own === 'all' || coversRights(own, wanted)) return undefined;
  return refused('forbidden', 'Nobody can give or take rights that it does not have itself');
}

function rightsOfUser(userId: string, accountId: string, batch: PendingBatch): Rights | 'all' {
  if (batch.people.findOne('users', 'id', userId)?.isOperator === true) return 'all';
  const member = batch.people.findMembership(userId, accountId);
  return member === undefined ? [] : rightsOfMember(member);
}
