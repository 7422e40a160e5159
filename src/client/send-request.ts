import { zoneSerialHeader } from '../contract/zone-serial-header.ts';
import { ApiError, UnreachableError } from './api-error.ts';

/**
 * One request, one answer: authentication, JSON both ways, waiting when the service says to, errors as exceptions.
 * Needs nothing but `fetch`; never repeats a request that may have been carried out.
 */
export interface Endpoint {
  /** Where the service listens: `http://127.0.0.1:8080`, no trailing slash, no `/v2`. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Answer {
  readonly status: number;
  /** The parsed JSON, undefined where the body was empty. */
  readonly body: unknown;
  /** The domain's serial with the write in it (contract rule 36). */
  readonly zoneSerial: number | undefined;
  /** The revision that the answer shows or made, with its quotes; undefined where the service does not say it. */
  readonly etag: string | undefined;
}

export interface RequestOptions {
  readonly body?: object;
  /** A master file as the body, in the place of JSON. */
  readonly zoneFile?: string;
  /** The write is refused (412) unless the domain still has this revision. */
  readonly ifMatch?: string | undefined;
  /** For how long the service was asked to hold its answer back. */
  readonly waitSeconds?: number;
}

/** The service's own request time-out is shorter; past this, and the wait asked for, the connection is dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Attempts in all at a request that is put off; with the longest wait, five minutes of patience. */
const MAX_ATTEMPTS = 5;

/** A longer Retry-After is reported instead of waited for: a person is sitting in front of this. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Sends one request under `/v2`. 429 and 503 are decided before any side effect (contract rules 9, 10), so these are
 * sent again after their Retry-After.
 *
 * @throws ApiError for every other status than 2xx, UnreachableError when no answer came.
 */
export async function sendRequest(
  endpoint: Endpoint,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const timeoutMs = ANSWER_TIMEOUT_MS + (options.waitSeconds ?? 0) * 1000;
  for (let attempt = 1; ; attempt++) {
    const response = await fetchOnce(endpoint, method, path, timeoutMs, options);
    const waitSeconds = retryAfterSeconds(response);
    if (waitSeconds === undefined || attempt === MAX_ATTEMPTS)
      return readAnswer(endpoint, response, timeoutMs);
    await response.body?.cancel();
    await endpoint.sleep(waitSeconds * 1000);
  }
}

async function fetchOnce(
  endpoint: Endpoint,
  method: string,
  path: string,
  timeoutMs: number,
  { body, zoneFile, ifMatch }: RequestOptions,
): Promise<Response> {
  const text = zoneFile ?? (body && JSON.stringify(body));
  try {
    return await endpoint.fetch(`${endpoint.url}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${endpoint.key}`,
        ...(text === undefined
          ? {}
          : { 'content-type': zoneFile === undefined ? 'application/json' : 'text/dns' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(text === undefined ? {} : { body: text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
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

async function readAnswer(endpoint: Endpoint, response: Response, timeoutMs: number): Promise<Answer> {
  const { status } = response;
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(endpoint, error, timeoutMs);
  });
  const body = parseJson(text);
  if (response.ok && (text === '' || body !== undefined))
    return {
      status,
      body,
      zoneSerial: zoneSerialOf(response),
      etag: response.headers.get('etag') ?? undefined,
    };
  const { error, code, field, problems } = (body ?? {}) as ErrorBody;
  if (typeof error !== 'string') {
    throw new ApiError(status, `${endpoint.url} answered ${status} in a form that is not Zonewright's`);
  }
  throw new ApiError(status, error, asText(code), asText(field), Array.isArray(problems) ? problems : []);
}

type ErrorBody = Partial<Record<'error' | 'code' | 'field' | 'problems', unknown>>;

function zoneSerialOf(response: Response): number | undefined {
  const text = response.headers.get(zoneSerialHeader) ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function unreachable(endpoint: Endpoint, error: unknown, timeoutMs: number): UnreachableError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    const reason = `no answer within ${timeoutMs / 1000} seconds`;
    return new UnreachableError(endpoint.url, reason, { cause: error });
  }
  return new UnreachableError(endpoint.url, rootReason(error), { cause: error });
}

/** `fetch` says "fetch failed" and hides what happened in a chain of causes. */
function rootReason(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (!(reason instanceof Error)) return String(reason);
  const { code } = reason as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND') return 'the host name is unknown';
  return reason.message === '' && typeof code === 'string' ? code : reason.message;
}
