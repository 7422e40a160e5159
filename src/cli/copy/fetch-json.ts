import { ApiError, UnreachableError } from '../../client/api-error.ts';

/** Where a provider's interface is and who asks. */
export interface ProviderAccess {
  /** Without trailing slash: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  readonly key: string;
}

/** Providers answer within seconds; past this the connection is dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Attempts in all: limits of providers count by the minute, so with their waits this outlasts several. */
const MAX_ATTEMPTS = 6;

/** DigitalOcean tells to wait until the hour's end; a person would rather hear of it. */
const MAX_RETRY_AFTER_SECONDS = 300;

/** Without Retry-After: 1, 2, 4 … seconds. */
const FIRST_WAIT_MS = 1000;

/**
 * GET with a bearer key. Waits and asks again when the provider says that it is too much, or is broken for a moment.
 *
 * @throws ApiError for every other answer than 200 with JSON, UnreachableError when none came
 */
export async function fetchJson({ url, key }: ProviderAccess, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetchOnce(url, path, key);
    if (response.ok) return parseJson(url, response.status, await readText(url, response));
    const waitMs = retryAfterMs(response, attempt);
    if (waitMs === undefined || attempt === MAX_ATTEMPTS) {
      const text = await readText(url, response);
      throw new ApiError(response.status, `${url}${path} answered ${response.status}: ${reasonIn(text)}`);
    }
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function fetchOnce(url: string, path: string, key: string): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
  } catch (error) {
    throw unreachable(url, error);
  }
}

function retryAfterMs({ status, headers }: Response, attempt: number): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return FIRST_WAIT_MS * 2 ** (attempt - 1);
  return seconds <= MAX_RETRY_AFTER_SECONDS ? seconds * 1000 : undefined;
}

async function readText(url: string, response: Response): Promise<string> {
  return response.text().catch((error: unknown) => {
    throw unreachable(url, error);
  });
}

function parseJson(url: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(status, `${url} answered ${status} with something that is no JSON`);
  }
}

/** Providers put a sentence somewhere into their JSON; the first 200 characters tell most. */
function reasonIn(text: string): string {
  return /"(?:message|error)"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1] ?? text.slice(0, 200);
}

function unreachable(url: string, error: unknown): UnreachableError {
  const { cause } = error as { cause?: unknown };
  const reason =
    cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
  return new UnreachableError(url, reason, { cause: error });
}
