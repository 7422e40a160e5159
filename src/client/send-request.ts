import { UnreachableError } from './api-error.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { readAnswer, type Answer } from './read-answer.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * One request, one answer: authentication, bodies both ways, waiting when the service says to, repeating what a broken
 * connection lost, errors as exceptions. Needs nothing but `fetch`; never repeats what a repeat could do twice.
 */
export interface Endpoint {
  /** Where the service listens: `http://127.0.0.1:8080`, no trailing slash, no `/v2`. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions extends WriteOptions {
  readonly body?: object;
  /** A master file as the body, in the place of JSON. */
  readonly zoneFile?: string;
  /** Answered with 304 where the revision still is this one. */
  readonly ifNoneMatch?: string | undefined;
  /** The answer is a text, not JSON. */
  readonly wantsText?: boolean;
  /** For how long the service was asked to hold its answer back. */
  readonly waitSeconds?: number;
}

/** The service's own request time-out is shorter; past this, and the wait asked for, the connection is dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Attempts in all at a request that is put off; with the longest wait, five minutes of patience. */
const MAX_ATTEMPTS = 5;

/** A longer Retry-After is reported instead of waited for: a person is sitting in front of this. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Waits before the repeats after a lost connection: a service that restarts is back within them. */
const RECONNECT_WAITS_MS = [100, 1000, 3000] as const;

/**
 * Sends one request under `/v2`. 429 and 503 are decided before any side effect (contract rules 9, 10), so these are
 * sent again after their Retry-After. After a lost connection everything is repeated that comes to the same: all
 * but writes with a precondition of their own; POST carries an Idempotency-Key for it.
 *
 * @throws ApiError for every other status than 2xx and 304, UnreachableError when no answer came.
 */
export async function sendRequest(
  endpoint: Endpoint,
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const request = buildRequest(endpoint, method, path, options);
  let losses = 0;
  for (let attempt = 1; ; attempt++) {
    const answer = await fetchOnce(request).catch((error: unknown) => {
      const isLost = losses > 0 || (error instanceof UnreachableError && error.isLost);
      if (!isLost || !request.isRepeatable || losses === RECONNECT_WAITS_MS.length) throw error;
    });
    if (answer === undefined) {
      await endpoint.sleep(RECONNECT_WAITS_MS[losses++] ?? 0);
      continue;
    }
    const waitSeconds = retryAfterSeconds(answer.response);
    if (waitSeconds !== undefined && attempt < MAX_ATTEMPTS) await endpoint.sleep(waitSeconds * 1000);
    // What the lost attempt was to remove is not there any more.
    else if (request.isRemoval && losses > 0 && answer.response.status === 404)
      return { url: endpoint.url, status: 204, body: undefined, zoneSerial: undefined, etag: undefined };
    else return readAnswer(endpoint.url, answer.response, answer.text, options.wantsText === true);
  }
}

interface Request {
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly isRepeatable: boolean;
  readonly isRemoval: boolean;
}

function buildRequest(endpoint: Endpoint, method: Method, path: string, options: RequestOptions): Request {
  const { body, zoneFile, ifMatch, ifNoneMatch, waitSeconds = 0, dryRun } = options;
  const text = zoneFile ?? (body && JSON.stringify(body));
  const query = dryRun === true ? `${path.includes('?') ? '&' : '?'}dry_run=true` : '';
  return {
    endpoint,
    url: `${endpoint.url}/v2${path}${query}`,
    init: {
      method,
      headers: headersOf(endpoint, method, options),
      ...(text === undefined ? {} : { body: text }),
      redirect: 'error',
    },
    timeoutMs: ANSWER_TIMEOUT_MS + waitSeconds * 1000,
    // Repeated after it was carried out, a precondition does not hold any more; a POST gets its first answer again.
    isRepeatable: method === 'POST' || method === 'GET' || (ifMatch ?? ifNoneMatch) === undefined,
    isRemoval: method === 'DELETE' && dryRun !== true,
  };
}

function headersOf({ key }: Endpoint, method: Method, options: RequestOptions): Record<string, string> {
  const { body, zoneFile, ifMatch, ifNoneMatch, note } = options;
  return {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(zoneFile === undefined ? {} : { 'content-type': 'text/dns' }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...(note === undefined ? {} : { 'x-change-note': formatHeaderText(note) }),
    ...(method === 'POST' ? { 'idempotency-key': newIdempotencyKey() } : {}),
  };
}

/** `fetch` takes a header's text byte by byte: UTF-8 goes through it as Latin-1. */
function formatHeaderText(text: string): string {
  const bytes = new TextEncoder().encode(text.replace(/\s+/g, ' ').trim());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

async function fetchOnce({ endpoint, url, init, timeoutMs }: Request): Promise<{
  readonly response: Response;
  readonly text: string;
}> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await endpoint.fetch(url, { ...init, signal });
    return { response, text: await response.text() };
  } catch (error) {
    throw unreachable(endpoint, error, timeoutMs);
  }
}

function retryAfterSeconds(response: Response): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined;
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_RETRY_AFTER_SECONDS
    ? seconds
    : undefined;
}

function unreachable(endpoint: Endpoint, error: unknown, timeoutMs: number): UnreachableError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    const reason = `no answer within ${timeoutMs / 1000} seconds`;
    return new UnreachableError(endpoint.url, reason, { cause: error });
  }
  const { reason, isLost } = rootReason(error);
  return new UnreachableError(endpoint.url, reason, { cause: error, isLost });
}

/** `fetch` says "fetch failed" and hides what happened in a chain of causes; browsers hide it altogether. */
function rootReason(error: unknown): { readonly reason: string; readonly isLost: boolean } {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { reason: String(cause), isLost: false };
  const { code } = cause as { code?: unknown };
  if (code === 'ECONNREFUSED') return { reason: 'nothing listens there', isLost: false };
  if (code === 'ENOTFOUND') return { reason: 'the host name is unknown', isLost: false };
  const reason = cause.message === '' && typeof code === 'string' ? code : cause.message;
  return { reason, isLost: typeof code === 'string' && LOST_CODES.includes(code) };
}

/** A connection that was there and broke, as Node says it. */
const LOST_CODES: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
