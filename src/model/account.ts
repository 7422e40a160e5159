import type { AccountStanding } from './account-standing.ts';
import type { Network } from './network.ts';
import type { Refusal } from './refusal.ts';
import type { Rights } from './rights.ts';
import type { Access, Membership, Session, User } from './user.ts';

/** Owns domains and API keys. */
export interface Account {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAtSeconds: number;
  /** Absent: it is neither suspended nor deleted, and nothing is left to do about it. */
  readonly standing?: AccountStanding | undefined;
}

/**
 * `full` keys may do everything in their account; `read` keys only read; `admin` keys also manage accounts and keys;
 * `limited` keys have rights of their own.
 */
export type KeyScope = 'admin' | 'full' | 'read' | 'limited';

/** Limits of a key beyond its scope. */
export interface KeyLimits {
  /** They take the place of the scope; null: it applies. */
  readonly rights: Rights | null;
  /** The networks from which the key can be used; null: all. */
  readonly networks: readonly Network[] | null;
  /** The key is refused from then on; null: never. */
  readonly expiresAtSeconds: number | null;
}

/** A stored API key: its hash, never the key itself. */
export interface ApiKey {
  /** UUIDv7; names the key in lists, logs and history. */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key text, 64 lower-case hex digits. */
  readonly hash: string;
  readonly scope: KeyScope;
  /** The owner's description; may be empty. */
  readonly label: string;
  readonly createdAtSeconds: number;
  /** Absent: it has none. */
  readonly limits?: KeyLimits | undefined;
  /** Seconds, to within `KEY_USE_SECONDS`; absent: it has not been used. */
  readonly usedAtSeconds?: number | undefined;
  /** The user who made it, and with whose membership it ends; absent: no user did. */
  readonly userId?: string | undefined;
}

/** The sender of a request, as authentication found it. */
export interface Caller {
  /** Empty for a user who has not chosen one of several accounts. */
  readonly accountId: string;
  /** For users `authorOfUser`. */
  readonly keyId: string;
  readonly rights: Rights;
  /** Absent: the caller has none. */
  readonly limits?: KeyLimits | undefined;
  /** Why the key cannot be used at all; absent: it can. */
  readonly refusal?: Refusal | undefined;
  /** Absent for keys. */
  readonly signedIn?: SignedIn | undefined;
}

/** A caller who has signed in. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  /** Those in accounts that are not deleted. */
  readonly memberships: readonly Membership[];
  /** Deleted accounts to which the user belongs. */
  readonly deletedAccountIds: readonly string[];
  /** Those of the session; only operators have some. */
  readonly accesses: readonly Access[];
  /** Why the caller acts in no account; absent: it acts in one. */
  readonly accountRefusal?: Refusal | undefined;
  /** The account that the request names, in which the user has no rights; absent: the user acts in the one it names. */
  readonly namedAccountId?: string | undefined;
}

/** A session with its user, who may belong to several accounts. */
export type UserSession = Omit<SignedIn, 'accountRefusal' | 'namedAccountId'>;
