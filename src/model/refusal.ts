/** Why an operation was refused. The one list of codes; each transport maps them once. */
export type RefusalCode =
  | 'invalid_request' // 400: malformed input
  | 'forbidden' // 403: the key's scope does not allow it
  | 'unknown_domain' // 404
  | 'unknown_record' // 404
  | 'unknown_account' // 404
  | 'unknown_key' // 404
  | 'domain_taken' // 409: held by another account
  | 'domain_exists' // 409: held by this account, but with another address
  | 'record_conflict' // 409: CNAME beside other data, CNAME at the apex
  | 'record_exists' // 409: the same record with another TTL or priority
  | 'not_first' // 409: an account exists, and only a first one was asked for
  | 'history_gone' // 409: what is asked for is older than the history kept, or was never so
  | 'idempotency_mismatch' // 409: the idempotency key was used for another request
  | 'precondition_failed' // 412: the domain is not in the revision that was asked for
  | 'busy'; // 503: a queue is full or the store is away; nothing was committed

export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence for a person, under 300 characters, without a full stop. */
  readonly message: string;
  /** The request member at fault, e.g. `ttl`. */
  readonly field?: string;
  /** What else is wrong with the same record: told where a request is for many of them. */
  readonly besides?: readonly Refusal[];
  /** Of a request for many things: everything that is wrong with it, at most `MAX_PROBLEMS`. */
  readonly problems?: readonly Problem[];
  /** Problems beyond those. */
  readonly moreProblems?: number;
}

/** One thing that is wrong with one part of a request. */
export interface Problem {
  readonly list?: 'delete' | 'update' | 'create';
  /** Position in the list; in the records sent where there is no list. */
  readonly index?: number;
  readonly field?: string;
  /** In a master file, from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
}

/** Problems told at once: more of them say nothing new. */
export const MAX_PROBLEMS = 100;
