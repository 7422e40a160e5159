// The table of error codes, and the JSON text of an error.
import type { Problem, Refusal, RefusalCode } from '../model/refusal.ts';

/** Codes of errors that the transport detects itself. */
type TransportCode =
  | 'invalid_key'
  | 'insecure_login'
  | 'cross_site'
  | 'unknown_route'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'headers_too_large'
  | 'rate_limited'
  | 'internal_error'
  | 'not_ready';

export type ErrorCode = RefusalCode | TransportCode;

/** A refusal of an operation or of the transport, with everything that the error body contains. */
export interface ApiError extends Omit<Refusal, 'code'> {
  readonly code: ErrorCode;
  /** Position in a list in the request. */
  readonly index?: number;
}

/** The HTTP status of each code (contract rule 8). */
export const errorStatuses = {
  invalid_request: 400,
  account_required: 400,
  invalid_key: 403,
  forbidden: 403,
  invalid_login: 403,
  second_factor_required: 403,
  access_required: 403,
  confirmation_required: 403,
  insecure_login: 403,
  cross_site: 403,
  account_suspended: 403,
  name_reserved: 403,
  quota_exceeded: 403,
  unknown_route: 404,
  unknown_domain: 404,
  unknown_record: 404,
  unknown_account: 404,
  unknown_key: 404,
  unknown_rollover: 404,
  unknown_user: 404,
  unknown_invitation: 404,
  unknown_session: 404,
  unknown_access: 404,
  unknown_factor: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  domain_taken: 409,
  domain_claimed: 409,
  domain_held: 409,
  domain_exists: 409,
  record_conflict: 409,
  record_exists: 409,
  user_exists: 409,
  last_owner: 409,
  factor_conflict: 409,
  administrative_account: 409,
  not_first: 409,
  history_gone: 409,
  domain_deleted: 409,
  dnssec_conflict: 409,
  presigned_domain: 409,
  idempotency_mismatch: 409,
  precondition_failed: 412,
  body_too_large: 413,
  rate_limited: 429,
  login_delayed: 429,
  cost_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  dnssec_unavailable: 503,
  oidc_unavailable: 503,
  factor_unavailable: 503,
  busy: 503,
  not_ready: 503,
} as const satisfies Record<ErrorCode, number>;

/** Contract rule 7: some clients read an error into a fixed buffer of 512 bytes. */
const MAX_ERROR_BYTES = 511;

/**
 * Returns `{"error","status","code","field"?,"index"?}` on one line; a sentence that is too long is cut and ends in an
 * ellipsis. Errors of batches and imports also have `"problems"` and `"more"`.
 */
export function formatError(error: ApiError): string {
  const sentence = formatSentence(error);
  if (error.problems === undefined) return sentence;
  const list = JSON.stringify(error.problems.map(inOrder));
  return `${sentence.slice(0, -1)},"problems":${list},"more":${error.moreProblems ?? 0}}`;
}

function inOrder({ list, index, field, line, column, code, message }: Problem): Problem {
  return { list, index, field, line, column, code, message } as Problem;
}

function formatSentence(error: ApiError): string {
  const field = error.field === undefined ? '' : `,"field":${JSON.stringify(error.field)}`;
  const index = error.index === undefined ? '' : `,"index":${error.index}`;
  const rest = `,"status":${errorStatuses[error.code]},"code":"${error.code}"${field}${index}}`;
  return `{"error":${sentenceJson(error.message, MAX_ERROR_BYTES - '{"error":'.length - sizeBytes(rest))}${rest}`;
}

function sentenceJson(sentence: string, roomBytes: number): string {
  let json = JSON.stringify(sentence);
  let kept = sentence.length;
  for (let size = sizeBytes(json); size > roomBytes; size = sizeBytes(json)) {
    kept = Math.min(Math.floor((kept * roomBytes) / size), kept - 1);
    // Do not cut through a surrogate pair.
    json = JSON.stringify(`${sentence.slice(0, kept).replace(/[\ud800-\udbff]$/, '')}…`);
  }
  return json;
}

const encoder = new TextEncoder();

function sizeBytes(text: string): number {
  return encoder.encode(text).length;
}
