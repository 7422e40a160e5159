// Notes for the trail about users, members, invitations and sessions.
import type { ProvenIdentity } from '../model/identity.ts';
import { authorOfUser, type Invitation, type Member, type MemberRole, type User } from '../model/user.ts';
import type { FactorUse } from './factor-command.ts';
import type { LoginProof } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { TrailActor, TrailNote } from './pending-trail.ts';

export function noteInvitation(
  action: 'invitation.create' | 'invitation.revoke',
  { accountId, id, email, isOperator, recovers, ...role }: Invitation,
  batch: PendingBatch,
): void {
  if (recovers !== null) {
    noteOfUser(recovers, { action, object: id, detail: { recovers } }, batch);
    return;
  }
  const detail = { email: email ?? undefined, role: describeRole(role), operator: isOperator || undefined };
  batch.trail.note({ accountId, action, object: id, detail });
}

export function noteAcceptedInvitation(
  { id: invitation, accountId, isOperator, ...role }: Invitation,
  user: User,
  batch: PendingBatch,
): void {
  const detail = {
    invitation,
    email: user.email,
    role: describeRole(role),
    operator: isOperator || undefined,
  };
  const note = { accountId, action: 'invitation.accept', object: user.id, detail } as const;
  batch.trail.note(note, actorOf(user));
}

export function noteRecovery({ id: invitation }: Invitation, user: User, batch: PendingBatch): void {
  const note = { action: 'user.recover', object: user.id, detail: { invitation } } as const;
  noteOfUser(user.id, note, batch, actorOf(user));
}

/**
 * Call it before the user is removed.
 *
 * @param before undefined: the role stays, or ends
 */
export function noteMember(
  action: 'member.update' | 'member.remove',
  { user: { id, email }, membership }: Member,
  before: MemberRole | undefined,
  batch: PendingBatch,
): void {
  const detail = { email, role: describeRole(membership), before: before && describeRole(before) };
  batch.trail.note({ accountId: membership.accountId, action, object: id, detail });
}

/**
 * Notes what a user does or what is done to it in the trail of each account that it belongs to; operators alone see it if there
 * is none.
 */
export function noteOfUser(
  userId: string,
  note: Omit<TrailNote, 'accountId'>,
  batch: PendingBatch,
  actor?: TrailActor,
): void {
  for (const accountId of accountsOfUser(userId, batch)) batch.trail.note({ ...note, accountId }, actor);
}

/** The accounts that see what a user does; the empty one is for operators. */
export function accountsOfUser(userId: string, batch: PendingBatch): readonly string[] {
  const memberships = batch.people.findAll('memberships', 'userId', userId);
  return memberships.length === 0 ? [''] : memberships.map(({ accountId }) => accountId);
}

/** A user who acts without a session. */
export function actorOf({ id, email }: User): TrailActor {
  return { id: authorOfUser(id), name: email };
}

/** `owner`, or `editor in a.example; viewer in b.example, c.example`. */
function describeRole({ role, grants }: MemberRole): string {
  return role ?? (grants ?? []).map((grant) => `${grant.role} in ${grant.domains.join(', ')}`).join('; ');
}

const factorWords = {
  passkey: 'passkey',
  oneTimeCode: 'one-time code',
  recoveryCode: 'recovery code',
} as const satisfies Record<FactorUse['kind'], string>;

/** `OpenID Connect at https://login.example.com`. */
export function describeProvider({ issuer }: Pick<ProvenIdentity, 'issuer'>): string {
  return `OpenID Connect at ${issuer}`;
}

/** `password and one-time code`; undefined if nothing of it is known here. */
export function describeProof({ passwordHash, factor, identity }: LoginProof): string | undefined {
  const parts = [
    ...(passwordHash === null ? [] : ['password']),
    ...(factor === undefined ? [] : [factorWords[factor.kind]]),
    ...(identity === undefined ? [] : [describeProvider(identity)]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
