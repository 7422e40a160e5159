import { ApiError, UnreachableError } from '../../client/api-error.ts';

/** One GET request to the API of a DNS provider. */
export interface ProviderQuestion {
  /** Base URL without trailing slash, also used in messages: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  /** Path and query, beginning with a slash. */
  readonly path: string;
  /** Called for each attempt, because signatures are valid only for minutes. */
  readonly headers: () => Record<string, string> | Promise<Record<string, string>>;
  /** Recognises this provider's own throttling answers, besides 429 and 5xx. */
  readonly isBusy?: (answer: ProviderAnswer) => boolean;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

/** Providers answer within seconds; after this time the connection is considered dead. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Maximum attempts. Providers' limits are per minute, and the waits between attempts outlast several minutes. */
const MAX_ATTEMPTS = 6;

/** DigitalOcean asks to wait until the end of the hour; failing is more useful than such a wait. */
const MAX_RETRY_AFTER_SECONDS = 300;

/** The wait without Retry-After doubles: 1, 2, 4 … seconds. */
const FIRST_WAIT_MS = 1000;

/** The largest page is a thousand records of at most 4 KB; this is eight times that. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Repeats the request while the provider is busy or temporarily broken. Returns the last answer, whatever its status.
 *
 * @throws UnreachableError if no answer arrives
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

/** @throws ApiError after more pages than any account has: an API that always announces another page is broken */
export function checkPage(page: number, path: string): void {
  if (page <= MAX_PAGES) return;
  throw new ApiError(200, `${path} has more than ${MAX_PAGES} pages`);
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
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error(`the answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns undefined if the wait is too long. */
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
