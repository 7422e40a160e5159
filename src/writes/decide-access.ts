// Operators look into accounts of others only after saying why, which the trail of that account shows.
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { refused, written, type WriteResult } from '../model/result.ts';
import { MAX_USER_ACCESSES, type Access, type Session } from '../model/user.ts';
import type { CommandOf } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

/** Takes the place of the one that the session has for the account. Those of the user that are over are removed. */
export function decideCreateAccess(
  { access }: CommandOf<'createAccess'>,
  batch: PendingBatch,
): WriteResult<Access> {
  const { accountId, sessionId, userId, reason, createdAtSeconds } = access;
  if (batch.people.findOne('users', 'id', userId)?.isOperator !== true)
    return refused('forbidden', 'Only operators look into accounts of others');
  if (batch.findAccount(accountId) === undefined) return refuseUnknownAccount(accountId);
  if (batch.people.findOne('sessions', 'id', sessionId) === undefined)
    return refused('unknown_session', 'There is no such session');
  const open = batch.people.findAll('accesses', 'userId', userId).filter((other) => {
    const isSame = other.accountId === accountId && other.sessionId === sessionId;
    const stays = !isSame && createdAtSeconds < other.expiresAtSeconds;
    if (!stays) batch.people.delete('accesses', other);
    return stays;
  });
  if (open.length >= MAX_USER_ACCESSES)
    return refused(
      'quota_exceeded',
      `An operator looks into at most ${MAX_USER_ACCESSES} accounts at a time`,
    );
  batch.people.put('accesses', access);
  batch.trail.note({ accountId, action: 'account.access', object: accountId, detail: { reason } });
  return written(access);
}

/** In all sessions of the user. */
export function decideEndAccess(
  { accountId, userId }: CommandOf<'endAccess'>,
  batch: PendingBatch,
): WriteResult<null> {
  const ended = batch.people
    .findAll('accesses', 'userId', userId)
    .filter((access) => access.accountId === accountId);
  if (ended.length === 0) return refused('unknown_access', 'You have no access to this account');
  for (const access of ended) batch.people.delete('accesses', access);
  return written(null);
}

/** To be called with each session that ends. */
export function endAccessesOf({ id, userId }: Pick<Session, 'id' | 'userId'>, batch: PendingBatch): void {
  for (const access of batch.people.findAll('accesses', 'userId', userId))
    if (access.sessionId === id) batch.people.delete('accesses', access);
}
