// The use of a link: somebody joins an account, or recovers. The proof of who it is is used up in the same step.
import { refuseLogin } from '../model/refuse-login.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { MAX_ACCOUNT_USERS, MAX_USER_ACCOUNTS, type Invitation, type User } from '../model/user.ts';
import type { CommandOf } from './command.ts';
import { findLinkRefusal, linkIdentity, unlinkAll } from './decide-identity.ts';
import { refuseUnknownInvitation } from './decide-member.ts';
import { addSession, endSessionsOf, findProofRefusal } from './decide-session.ts';
import type { AcceptedInvitation } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { actorOf, noteAcceptedInvitation, noteRecovery } from './people-notes.ts';

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
      : recoverUser(invitation, invitation.recovers, command, batch);
  if (!accepted.ok) return accepted;
  batch.people.delete('invitations', invitation);
  const { session, user, proven } = command;
  if (session !== undefined) addSession(session, proven ?? user, batch);
  return accepted;
}

function recoverUser(
  invitation: Invitation,
  userId: string,
  { user: { passwordHash } }: CommandOf<'acceptInvitation'>,
  batch: PendingBatch,
): WriteResult<AcceptedInvitation> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refuseUnknownInvitation();
  const recovered = { ...user, passwordHash, factors: null };
  batch.people.put('users', recovered);
  noteRecovery(invitation, recovered, batch);
  unlinkAll(userId, batch, actorOf(recovered));
  endSessionsOf(userId, batch);
  return written({ user: recovered, accountId: '' });
}

function joinAccount(
  invitation: Invitation,
  { user: sent, proven, identity, atSeconds }: CommandOf<'acceptInvitation'>,
  batch: PendingBatch,
): WriteResult<AcceptedInvitation> {
  const { accountId, role, grants, isOperator } = invitation;
  if (batch.findAccount(accountId) === undefined) return refuseUnknownInvitation();
  const email = invitation.email ?? sent.email;
  const unproven = proven && findProofRefusal(proven.userId, proven, batch);
  if (unproven) return unproven;
  const known = batch.people.findOne('users', 'email', email);
  if (known?.id !== proven?.userId) return refuseLogin();
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
  noteAcceptedInvitation(invitation, user, batch);
  if (identity !== undefined) {
    const linked = { ...identity, userId: user.id, createdAtSeconds: atSeconds };
    linkIdentity(linked, batch, actorOf(user));
  }
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
