// Identities at OpenID Connect providers, which sign users in. An identity never passes from one user to another by itself.
import { isSameIdentity, type Identity, type ProvenIdentity } from '../model/identity.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { parseUserFactors } from '../model/user-factors.ts';
import type { CommandOf } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { noteOfUser } from './people-notes.ts';
import type { TrailActor } from './pending-trail.ts';

/** A user who has signed in takes an identity. Nothing changes if it has it already. */
export function decideLinkIdentity(
  { userId, sessionId, identity, atSeconds }: CommandOf<'linkIdentity'>,
  batch: PendingBatch,
): WriteResult<Identity> {
  const session = batch.people.findOne('sessions', 'id', sessionId);
  if (session?.userId !== userId) return refused('unknown_session', 'There is no such session');
  const refusal = findLinkRefusal(identity, userId, batch);
  if (refusal !== undefined) return refusal;
  const known = findIdentity(identity, batch);
  if (known !== undefined) return written(known, false);
  return written(linkIdentity({ ...identity, userId, createdAtSeconds: atSeconds }, batch));
}

export function decideUnlinkIdentity(
  { userId, issuer }: CommandOf<'unlinkIdentity'>,
  batch: PendingBatch,
): WriteResult<null> {
  const own = batch.people.findAll('identities', 'userId', userId);
  const identity = own.find((known) => known.issuer === issuer);
  if (identity === undefined)
    return refused('unknown_factor', 'You sign in with no identity of this provider');
  if (own.length === 1 && !hasOtherWay(userId, batch))
    return refused(
      'factor_conflict',
      'You could not sign in any more: set a password or add a passkey first',
    );
  unlink(identity, batch);
  return written(null);
}

/** Refuses an identity of another user, and a second one of the same provider. */
export function findLinkRefusal(
  identity: ProvenIdentity,
  userId: string,
  batch: PendingBatch,
): Refused | undefined {
  const known = findIdentity(identity, batch);
  if (known !== undefined)
    return known.userId === userId
      ? undefined
      : refused('factor_conflict', 'This identity at the provider signs in another user');
  const own = batch.people.findAll('identities', 'userId', userId);
  return own.some(({ issuer }) => issuer === identity.issuer)
    ? refused('factor_conflict', 'You sign in with another identity of this provider; unlink it first')
    : undefined;
}

/** @param actor undefined: the author of the command */
export function linkIdentity(identity: Identity, batch: PendingBatch, actor?: TrailActor): Identity {
  if (findIdentity(identity, batch) !== undefined) return identity;
  batch.people.put('identities', identity);
  const { userId, issuer, subject } = identity;
  noteOfUser(userId, { action: 'user.link', object: userId, detail: { issuer, subject } }, batch, actor);
  return identity;
}

/** A user who is removed or recovers keeps no identity: an attacker who has taken the user over may have linked it. */
export function unlinkAll(userId: string, batch: PendingBatch, actor?: TrailActor): void {
  for (const identity of batch.people.findAll('identities', 'userId', userId)) unlink(identity, batch, actor);
}

function unlink(identity: Identity, batch: PendingBatch, actor?: TrailActor): void {
  const { userId, issuer, subject } = identity;
  noteOfUser(userId, { action: 'user.unlink', object: userId, detail: { issuer, subject } }, batch, actor);
  batch.people.delete('identities', identity);
}

export function isLinked(identity: ProvenIdentity, userId: string, batch: PendingBatch): boolean {
  return findIdentity(identity, batch)?.userId === userId;
}

export function refuseIdentity(): Refused {
  return refused('invalid_login', 'No user signs in with this identity; sign in another way, and link it');
}

function findIdentity(identity: ProvenIdentity, batch: PendingBatch): Identity | undefined {
  const found = batch.people.findAll('identities', 'subject', identity.subject);
  return found.find((known) => isSameIdentity(known, identity));
}

function hasOtherWay(userId: string, batch: PendingBatch): boolean {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return false;
  return user.passwordHash !== null || parseUserFactors(user.factors).passkeys.length > 0;
}
