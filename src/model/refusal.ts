/** Why an operation was refused. This is the only list of codes; each transport maps them once. */
export type RefusalCode =
  | 'invalid_request' // 400: malformed input
  | 'account_required' // 400: a user of several accounts has to choose one
  | 'forbidden' // 403: the caller's rights do not allow it
  | 'invalid_login' // 403: wrong e-mail address or password, or a wrong code
  | 'access_required' // 403: an operator has to say why first
  | 'confirmation_required' // 403: the user has to prove again who it is
  | 'second_factor_required' // 403: the password was right, and a code is needed besides
  | 'login_delayed' // 429: too many failed log-ins
  | 'account_suspended' // 403: the account is suspended or deleted, and cannot change anything
  | 'quota_exceeded' // 403: the account would have more than its limit
  | 'cost_exceeded' // 429: the account has used its minute's work
  | 'name_reserved' // 403: only an administrator may create the domain
  | 'unknown_domain' // 404
  | 'unknown_record' // 404
  | 'unknown_account' // 404
  | 'unknown_key' // 404
  | 'unknown_rollover' // 404
  | 'unknown_user' // 404
  | 'unknown_invitation' // 404
  | 'unknown_session' // 404
  | 'unknown_access' // 404
  | 'unknown_factor' // 404: a passkey, or one-time codes
  | 'domain_taken' // 409: held by another account
  | 'domain_claimed' // 409: held by another account that has not shown control of it
  | 'domain_held' // 409: kept for the account that deleted it
  | 'domain_exists' // 409: held by this account, but with another address
  | 'record_conflict' // 409: CNAME beside other data, CNAME at the apex
  | 'record_exists' // 409: the same record with another TTL or priority
  | 'user_exists' // 409: the user belongs to the account already
  | 'last_owner' // 409: the account would have no owner
  | 'factor_conflict' // 409: a passkey that exists, no one-time codes, or no way to sign in afterwards
  | 'administrative_account' // 409: an account with an administrative key is neither suspended nor deleted
  | 'not_first' // 409: the request is for a first account, and one exists
  | 'history_gone' // 409: the requested state is older than the kept history, or never existed
  | 'domain_deleted' // 409: the domain was deleted at the requested moment, and restored later
  | 'dnssec_conflict' // 409: the keys of the domain, or its signing, are in another state
  | 'presigned_domain' // 409: the zone is served as another signer signed it
  | 'idempotency_mismatch' // 409: the idempotency key was used for another request
  | 'precondition_failed' // 412: the domain is not in the expected revision
  | 'dnssec_unavailable' // 503: the secret that opens the domain's keys is not there, or the clock is wrong; nothing was committed
  | 'oidc_unavailable' // 503: there is no OpenID Connect provider, or it is away
  | 'factor_unavailable' // 503: the secret that opens one-time codes is not there, or no address for passkeys
  | 'busy'; // 503: a queue is full or the store is unavailable; nothing was committed

export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence for people, under 300 characters, without a full stop. */
  readonly message: string;
  /** With `cost_exceeded`: when the request can be repeated. */
  readonly retryAfterSeconds?: number;
  /** The request member at fault, e.g. `ttl`. */
  readonly field?: string;
  /** The refusals of other members of the same record; reported for requests with many records. */
  readonly besides?: readonly Refusal[];
  /** All problems of a request with many parts, at most `MAX_PROBLEMS`. */
  readonly problems?: readonly Problem[];
  /** The number of problems beyond those. */
  readonly moreProblems?: number;
}

/** One problem of one part of a request. */
export interface Problem {
  readonly list?: 'delete' | 'update' | 'create';
  /** The position in the list, or in the records sent if there is no list. */
  readonly index?: number;
  readonly field?: string;
  /** In a zone file, counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
}

/** Problems reported at once: more of them are of no use. */
export const MAX_PROBLEMS = 100;
