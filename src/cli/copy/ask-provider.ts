import { ApiError, UnreachableError } from '../../client/api-error.ts';

/** One GET at a DNS provider's interface. */
export interface ProviderQuestion {
  /** Without trailing slash, for messages: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  /** From the slash on, with the query. */
  readonly path: string;
  /** Made for each attempt anew: a signature is good for minutes only. */
  readonly headers: () => Record<string, string> | Promise<Record<string, string>>;
  /** What this provider calls too much, beside 429 and 5xx. */
  readonly isBusy?: (answer: ProviderAnswer) => boolean;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

/** Providers answer within seconds; past this the connection is dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Attempts in all: limits of providers count by the minute, so with their waits this outlasts several. */
const MAX_ATTEMPTS = 6;

/** DigitalOcean tells to wait until the hour's end; a person would rather hear of it. */
const MAX_RETRY_AFTER_SECONDS = 300;

/** Without Retry-After: 1, 2, 4 … seconds. */
const FIRST_WAIT_MS = 1000;

/** The largest page is a thousand records of at most 4 KB; this is eight times that. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Waits and asks again when the provider says that it is too much, or is broken for a moment. Gives the last answer,
 * whatever its status.
 *
 * @throws UnreachableError when none came
 */
export async function askProvider(question: ProviderQuestion): Promise<ProviderAnswer> {
  for (let attempt = 1; ; attempt++) {
    const { answer, retryAfter } = await askOnce(question);
    const isBusy = answer.status === 429 || answer.status >= 500 || question.isBusy?.(answer) === true;
    const waitMs = waitBeforeNext(retryAfter, attempt);
    if (!isBusy || waitMs === undefined || attempt === MAX_ATTEMPTS) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** @throws ApiError for a page that no account has: an interface that always names one more is broken */
export function checkPage(page: number, path: string): void {
  if (page <= MAX_PAGES) return;
  throw new ApiError(200, `${path} goes on for more than ${MAX_PAGES} pages`);
}

/** A million zones, or three million records. */
const MAX_PAGES = 10_000;

async function askOnce({ url, path, headers }: ProviderQuestion) {
  const chosen = await headers();
  try {
    const response = await fetch(`${url}${path}`, {
      headers: chosen,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const answer: ProviderAnswer = { status: response.status, text: await readText(response) };
    return { answer, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    throw unreachable(url, error);
  }
}

async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const pieces: AsyncIterable<Uint8Array> = body;
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const piece of pieces) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error(`its answer has more than ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** Undefined: so long that a person has to know. */
function waitBeforeNext(retryAfter: string | null, attempt: number): number | undefined {
  const seconds = Number(retryAfter ?? NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return FIRST_WAIT_MS * 2 ** (attempt - 1);
  return seconds <= MAX_RETRY_AFTER_SECONDS ? seconds * 1000 : undefined;
}

function unreachable(url: string, error: unknown): UnreachableError {
  const { cause, message } = error as { readonly cause?: unknown; readonly message: string };
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return new UnreachableError(url, reason, { cause: error });
}
