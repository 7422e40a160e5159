// Users and their sessions.
import { refuseLogin, refuseWithoutCode } from '../model/refuse-login.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { isLive, MAX_USER_SESSIONS, type Session, type User } from '../model/user.ts';
import { formatUserFactors, parseUserFactors } from '../model/user-factors.ts';
import type { CommandOf } from './command.ts';
import { endAccessesOf } from './decide-access.ts';
import type { LoginProof } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { isLinked, refuseIdentity } from './decide-identity.ts';
import { describeProof, noteOfUser } from './people-notes.ts';
import { useFactor } from './use-factor.ts';

function refuseUnknownSession(): Refused {
  return refused('unknown_session', 'There is no such session');
}

export function decideUpdateUser(
  { userId, newName, passwordHash, sessionId }: CommandOf<'updateUser'>,
  batch: PendingBatch,
): WriteResult<User> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refuseUnknownSession();
  const changed = {
    ...user,
    name: newName ?? user.name,
    passwordHash: passwordHash ?? user.passwordHash,
  };
  batch.people.put('users', changed);
  const detail = { name: newName, password: passwordHash === undefined ? undefined : 'changed' };
  noteOfUser(userId, { action: 'user.update', object: userId, detail }, batch);
  if (passwordHash !== undefined) endSessionsOf(userId, batch, sessionId);
  return written(changed);
}

export function decideCreateSession(
  { session, ...proof }: CommandOf<'createSession'>,
  batch: PendingBatch,
): WriteResult<Session> {
  const refusal = findProofRefusal(session.userId, proof, batch);
  if (refusal !== undefined) return refusal;
  addSession(session, proof, batch);
  return written(session);
}

/** Removes sessions of the user that are over, and the one that was used the longest time ago if there are too many. */
export function addSession(session: Session, proof: LoginProof, batch: PendingBatch): void {
  const { userId, createdAtSeconds } = session;
  const live = batch.people
    .findAll('sessions', 'userId', userId)
    .filter((other) => {
      const stays = isLive(other, createdAtSeconds);
      if (!stays) deleteSession(other, batch);
      return stays;
    })
    .sort((a, b) => a.seenAtSeconds - b.seenAtSeconds);
  const surplus = live.slice(0, Math.max(0, live.length - MAX_USER_SESSIONS + 1));
  for (const other of surplus) deleteSession(other, batch);
  batch.people.put('sessions', session);
  const detail = { with: describeProof(proof), agent: session.agent ?? undefined };
  noteOfUser(userId, { action: 'session.create', object: session.id, detail }, batch);
}

export function decideConfirmSession(
  { userId, sessionId, freshUntilSeconds, ...proof }: CommandOf<'confirmSession'>,
  batch: PendingBatch,
): WriteResult<Session> {
  const refusal = findProofRefusal(userId, proof, batch);
  if (refusal !== undefined) return refusal;
  const session = batch.people.findOne('sessions', 'id', sessionId);
  if (session?.userId !== userId) return refuseUnknownSession();
  const confirmed = { ...session, freshUntilSeconds };
  batch.people.put('sessions', confirmed);
  const detail = { with: describeProof(proof) };
  noteOfUser(userId, { action: 'session.confirm', object: sessionId, detail }, batch);
  return written(confirmed);
}

export function decideEndSessions(
  { userId, sessionId }: CommandOf<'endSessions'>,
  batch: PendingBatch,
): WriteResult<null> {
  if (sessionId === null) {
    noteOfUser(userId, { action: 'session.end', object: userId, detail: { sessions: 'all' } }, batch);
    endSessionsOf(userId, batch);
    return written(null);
  }
  const session = batch.people.findOne('sessions', 'id', sessionId);
  if (session?.userId !== userId) return refuseUnknownSession();
  deleteSession(session, batch);
  noteOfUser(userId, { action: 'session.end', object: sessionId }, batch);
  batch.people.delete('sessions', session);
  return written(null);
}

/** Sessions that have ended meanwhile are passed over. */
export function decideNoteSessionUses(
  { uses }: CommandOf<'noteSessionUses'>,
  batch: PendingBatch,
): WriteResult<null> {
  let noted = 0;
  for (const { sessionId, atSeconds } of uses) {
    const session = batch.people.findOne('sessions', 'id', sessionId);
    if (session === undefined || session.seenAtSeconds >= atSeconds) continue;
    batch.people.put('sessions', { ...session, seenAtSeconds: atSeconds });
    noted++;
  }
  return written(null, noted > 0);
}

function deleteSession(session: Session, batch: PendingBatch): void {
  endAccessesOf(session, batch);
  batch.people.delete('sessions', session);
}

/** @param exceptId the session that stays */
export function endSessionsOf(userId: string, batch: PendingBatch, exceptId: string | null = null): void {
  for (const session of batch.people.findAll('sessions', 'userId', userId))
    if (session.id !== exceptId) deleteSession(session, batch);
}

/**
 * Refuses a proof that is none any more: the user has changed the password or set up one-time codes since it was shown, or the code
 * or challenge was used. Uses it up.
 */
export function findProofRefusal(
  userId: string,
  { passwordHash, factor, identity }: LoginProof,
  batch: PendingBatch,
): Refused | undefined {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined || (passwordHash !== null && user.passwordHash !== passwordHash))
    return refuseLogin();
  if (identity !== undefined && !isLinked(identity, userId, batch)) return refuseIdentity();
  const factors = parseUserFactors(user.factors);
  if (factor === undefined)
    return passwordHash !== null && factors.oneTimeCode !== null ? refuseWithoutCode() : undefined;
  const used = useFactor(factors, factor);
  if (!used.ok) return used;
  batch.people.put('users', { ...user, factors: formatUserFactors(used.value) });
  return undefined;
}
