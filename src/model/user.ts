// People who sign in, the accounts that they belong to, and what lets them in. Plain rows; `writes` decides about them.
import type { ZoneName } from './domain.ts';

/** `owner` may do everything in the account, `editor` changes domains and records, `viewer` reads them. */
export type Role = (typeof roles)[number];

export const roles = ['owner', 'editor', 'viewer'] as const;

/** A role in some domains. Only `editor` and `viewer` can be limited to domains. */
export interface DomainRole {
  readonly role: Exclude<Role, 'owner'>;
  readonly domains: readonly ZoneName[];
}

/** A role in the whole account, or roles in some of its domains: one of the two is null. */
export interface MemberRole {
  readonly role: Role | null;
  readonly grants: readonly DomainRole[] | null;
}

/** A person who can sign in. */
export interface User {
  /** UUIDv7. */
  readonly id: string;
  /** In lower case; no two users have the same. */
  readonly email: string;
  readonly name: string;
  /** Text of `src/credentials`; null: the user signs in without a password, or cannot sign in until it is recovered. */
  readonly passwordHash: string | null;
  readonly createdAtSeconds: number;
  /** Sees all accounts and manages them. */
  readonly isOperator: boolean;
  /** Passkeys, the secret of one-time codes and recovery codes, as JSON; null: there are none. */
  readonly factors: string | null;
}

/** The place of a user in an account. */
export interface Membership extends MemberRole {
  readonly userId: string;
  readonly accountId: string;
  readonly createdAtSeconds: number;
}

/** A user in one of its accounts. */
export interface Member {
  readonly user: User;
  readonly membership: Membership;
}

/** A link that is good for one use: it makes a member, or lets a user set a new password. */
export interface Invitation extends MemberRole {
  /** UUIDv7. */
  readonly id: string;
  /** SHA-256 of the token, 64 lower-case hex digits. */
  readonly hash: string;
  /** The account of the new member; empty for a recovery. */
  readonly accountId: string;
  /** In lower case; null: the person who accepts chooses it. */
  readonly email: string | null;
  /** The user becomes an operator. */
  readonly isOperator: boolean;
  /** The user sets a new password, and loses its second factors and sessions; null: the link makes a member. */
  readonly recovers: string | null;
  readonly createdAtSeconds: number;
  /** The invitation is refused from then on. */
  readonly expiresAtSeconds: number;
  /** The author, as in `Author.keyId`; empty for the service itself. */
  readonly createdBy: string;
}

/**
 * Returns the time until which a user counts as having just proved who it is; `nowSeconds` if it does not.
 *
 * @param provenAtSeconds by another clock, which may be ahead; undefined: nobody says when the user was asked
 */
export function freshUntil(nowSeconds: number, provenAtSeconds: number | undefined): number {
  if (provenAtSeconds === undefined) return nowSeconds;
  return Math.max(nowSeconds, Math.min(nowSeconds, Math.floor(provenAtSeconds)) + FRESH_SECONDS);
}

/** A user who has signed in with a browser. */
export interface Session {
  /** UUIDv7. */
  readonly id: string;
  /** SHA-256 of the token, 64 lower-case hex digits. */
  readonly hash: string;
  readonly userId: string;
  readonly createdAtSeconds: number;
  /** To within `SESSION_USE_SECONDS`. */
  readonly seenAtSeconds: number;
  /** Until then the user counts as having just proved who it is. */
  readonly freshUntilSeconds: number;
  readonly endsAtSeconds: number;
  /** The client's network address; null: unknown. */
  readonly address: string | null;
  /** The User-Agent header, cut; null: there was none. */
  readonly agent: string | null;
}

/** An operator looks into an account of somebody else, after saying why. It ends with the session. */
export interface Access {
  /** UUIDv7. */
  readonly id: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly accountId: string;
  /** For the owners of the account. */
  readonly reason: string;
  readonly createdAtSeconds: number;
  /** It has ended from then on. */
  readonly expiresAtSeconds: number;
}

/** How users are named as authors of writes, where keys have their ids. */
export function authorOfUser(userId: string): string {
  return `user:${userId}`;
}

/** A session that is not used ends after this time: half a day, so that a working day needs one log-in. */
export const SESSION_IDLE_SECONDS = 12 * 3600;

/** Every session ends after this time. */
export const SESSION_LIFETIME_SECONDS = 14 * 86_400;

/** Dangerous requests need a proof of identity that is no older. */
export const FRESH_SECONDS = 600;

/** An invitation is open for a week: people are on holiday. */
export const INVITATION_SECONDS = 7 * 86_400;

/** A recovery is asked for by somebody who waits for it. */
export const RECOVERY_SECONDS = 86_400;

/** An access is for one question of a customer. */
export const ACCESS_SECONDS = 3600;

/** The reason of an access: a sentence, or the number of a ticket. */
export const MAX_REASON_CHARACTERS = 500;

/** The accounts that an operator looks into within an hour; each of its requests reads them. */
export const MAX_USER_ACCESSES = 20;

/** A person's name, like the name of an account. */
export const MAX_USER_NAME_CHARACTERS = 200;

/** The rows that one request reads to list them: about 200 kB. */
export const MAX_ACCOUNT_USERS = 500;

/** The rows that one request reads to find the caller. */
export const MAX_USER_ACCOUNTS = 50;

/** Browsers of one person; the session that was not used for the longest time ends at the next log-in. */
export const MAX_USER_SESSIONS = 20;

export const MAX_OPEN_INVITATIONS = 100;

/** Longer User-Agent headers are cut. */
export const MAX_AGENT_CHARACTERS = 200;

/** A session within its lifetime that was used lately. */
export function isLive(
  { seenAtSeconds, endsAtSeconds }: Pick<Session, 'seenAtSeconds' | 'endsAtSeconds'>,
  nowSeconds: number,
): boolean {
  return nowSeconds < endsAtSeconds && nowSeconds < seenAtSeconds + SESSION_IDLE_SECONDS;
}
