import { UnreachableError } from './api-error.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { readAnswer, readStream, type Answer } from './read-answer.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * Sends one request: authentication, bodies, waiting if the service asks for it, retries after a broken connection, errors as
 * exceptions. Needs only `fetch`. Never retries a request that could then be carried out twice.
 */
export interface Endpoint {
  /** The address of the service, e.g. `http://127.0.0.1:8080`, without a trailing slash and `/v2`. */
  readonly url: string;
  /** Empty: none is sent. A browser sends the cookie of its session. */
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Ends early when the signal says so.
   *
   * @param status of the answer that asks to wait; absent after a broken connection
   */
  readonly sleep: (ms: number, status?: number, signal?: AbortSignal) => Promise<void>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions extends WriteOptions {
  readonly body?: object;
  /** A zone file as the body, instead of JSON. */
  readonly zoneFile?: string;
  /** The answer is a 304 if this is still the revision. */
  readonly ifNoneMatch?: string | undefined;
  /** The answer is text, not JSON. */
  readonly wantsText?: boolean;
  /** A code or password in it would be wrong a second time: it is never sent again. */
  readonly once?: true;
  /** The answer is long: its body is the stream, which takes as long as it takes. */
  readonly wantsStream?: boolean;
  /** How long the service may delay its answer. */
  readonly waitSeconds?: number;
  /** Gives the request up: it rejects with the reason of the signal. For reads, because a write may have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer than the service's own timeout. After this time, plus the requested wait, the connection is considered dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Attempts after 429 and 503. With the longest wait between them, they take five minutes. */
const MAX_ATTEMPTS = 5;

/** A longer Retry-After is reported as an error, because a person may be waiting. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Waits before the retries after a broken connection: long enough for a service to restart. */
const RECONNECT_WAITS_MS = [100, 1000, 3000] as const;

/**
 * Sends one request under `/v2`. 429 and 503 have no side effects (contract rules 9, 10), so the request is sent again after
 * their Retry-After. After a broken connection, every request is retried that has the same effect twice as once: all except
 * writes with a precondition. A POST has an Idempotency-Key for this.
 *
 * @throws ApiError for statuses other than 2xx and 304, UnreachableError if there is no answer, the reason of the signal
 */
export async function sendRequest(
  endpoint: Endpoint,
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const request = buildRequest(endpoint, method, path, options);
  const { signal } = options;
  let losses = 0;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const answer = await fetchOnce(request).catch((error: unknown) => {
      const isLost = losses > 0 || (error instanceof UnreachableError && error.isLost);
      if (!isLost || !request.isRepeatable || losses === RECONNECT_WAITS_MS.length) throw error;
    });
    if (answer === undefined) {
      await endpoint.sleep(RECONNECT_WAITS_MS[losses++] ?? 0, undefined, signal);
      continue;
    }
    const waitSeconds = retryAfterSeconds(answer.response);
    if (waitSeconds !== undefined && attempt < MAX_ATTEMPTS && options.once !== true)
      await endpoint.sleep(waitSeconds * 1000, answer.response.status, signal);
    // The lost attempt has already deleted it.
    else if (request.isRemoval && losses > 0 && answer.response.status === 404)
      return { url: endpoint.url, status: 204, body: undefined, zoneSerial: undefined, etag: undefined };
    else if (answer.stream !== undefined) return readStream(endpoint.url, answer.response, answer.stream);
    else return readAnswer(endpoint.url, answer.response, answer.text, options.wantsText === true);
  }
}

interface Request {
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly isDownload: boolean;
  readonly isRepeatable: boolean;
  readonly isRemoval: boolean;
}

function buildRequest(endpoint: Endpoint, method: Method, path: string, options: RequestOptions): Request {
  const { body, zoneFile, ifMatch, ifNoneMatch, waitSeconds = 0, dryRun, warnings } = options;
  const text = zoneFile ?? (body && JSON.stringify(body));
  // A dry run has its warnings in the body.
  const flag = dryRun === true ? 'dry_run=true' : warnings === true ? 'warnings=true' : '';
  const query = flag === '' ? '' : `${path.includes('?') ? '&' : '?'}${flag}`;
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
    signal: options.signal,
    isDownload: options.wantsStream === true,
    // If the lost attempt was carried out, a precondition no longer holds, but a POST gets its first answer again.
    isRepeatable:
      options.once !== true &&
      (method === 'POST' || method === 'GET' || (ifMatch ?? ifNoneMatch) === undefined),
    isRemoval: method === 'DELETE' && dryRun !== true,
  };
}

function headersOf({ key }: Endpoint, method: Method, options: RequestOptions): Record<string, string> {
  const { body, zoneFile, ifMatch, ifNoneMatch, note } = options;
  return {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(zoneFile === undefined ? {} : { 'content-type': 'text/dns' }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...(note === undefined ? {} : { 'x-change-note': formatHeaderText(note) }),
    ...(method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? newIdempotencyKey() } : {}),
  };
}

/** `fetch` sends each character of a header as one byte, so UTF-8 is passed as Latin-1. */
function formatHeaderText(text: string): string {
  const bytes = new TextEncoder().encode(text.replace(/\s+/g, ' ').trim());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

interface Fetched {
  readonly response: Response;
  readonly text: string;
  /** Present if the answer to a download is not an error. */
  readonly stream?: ReadableStream<Uint8Array>;
}

async function fetchOnce({ endpoint, url, init, timeoutMs, signal, isDownload }: Request): Promise<Fetched> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), timeoutMs);
  // By hand: `AbortSignal.any` is younger than some of the browsers that the console supports.
  const giveUp = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp);
  try {
    const response = await endpoint.fetch(url, { ...init, signal: ending.signal });
    if (isDownload && response.ok && response.body !== null)
      return { response, text: '', stream: response.body };
    return { response, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(endpoint, error, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
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

/** Node's `fetch` reports the reason only in a chain of causes; browsers do not report it at all. */
function rootReason(error: unknown): { readonly reason: string; readonly isLost: boolean } {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { reason: String(cause), isLost: false };
  const { code } = cause as { code?: unknown };
  if (code === 'ECONNREFUSED') return { reason: 'nothing listens there', isLost: false };
  if (code === 'ENOTFOUND') return { reason: 'the host name is unknown', isLost: false };
  const reason = cause.message === '' && typeof code === 'string' ? code : cause.message;
  return { reason, isLost: typeof code === 'string' && lostCodes.includes(code) };
}

/** Node's codes for an established connection that broke. */
const lostCodes: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
