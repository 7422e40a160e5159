// The author of a write, and the members of commands that are not about a domain.
import type { Rights } from '../model/rights.ts';

/** The author and time of a write; the feed stores both with every change. */
export interface Author {
  readonly accountId: string;
  /** The id of the API key; for users `authorOfUser`; empty for the service itself. */
  readonly keyId: string;
  /** The user who has signed in; absent for keys. */
  readonly userId?: string | undefined;
  readonly atMs: number;
  /** The client's network address. */
  readonly address?: string | undefined;
  /** The client's note on the change, at most `MAX_NOTE_CHARACTERS`. */
  readonly note?: string | undefined;
  /** The rights of an author who has limited ones; absent: the author may write all records of the account. */
  readonly rights?: Rights | undefined;
  /** A repeat with the same key gets the first result again and changes nothing. */
  readonly idempotency?: IdempotencyKey | undefined;
}

export interface IdempotencyKey {
  /** Chosen by the client; unique for its API key. */
  readonly key: string;
  /** Distinguishes the request from others. */
  readonly hash: string;
}

/** The service itself, for what it does without being asked. */
export function serviceAuthor(atMs: number): Author {
  return { accountId: '', keyId: '', atMs };
}

/** The members of every command that writes to accounts and keys. */
export interface AccountWrite {
  /** Absent for housekeeping of the service, which leaves no trail. */
  readonly author?: Author | undefined;
  /** Decided, then undone, without a difference: the value is what would be created or removed. */
  readonly dryRun?: true | undefined;
}
