import { UnreachableError } from './api-error.ts';
import { notOurs } from './read-answer.ts';

/** The service cuts off what it cannot send for longer; after this silence, the connection is considered dead. */
const SILENCE_MS = 60_000;

/**
 * Reads a body with a JSON value in each line, as it comes. Leaving the loop ends the request.
 *
 * @param url the address of the service
 * @throws UnreachableError if the body ends in the middle or nothing comes, ApiError if it is not JSON
 */
export async function* readJsonLines<T>(
  url: string,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly T[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await readSoon(url, reader);
      if (done) break;
      const text = rest + decoder.decode(value, { stream: true });
      const end = text.lastIndexOf('\n');
      rest = text.slice(end + 1);
      if (end >= 0) yield parseLines(url, text.slice(0, end)) as readonly T[];
    }
    if (rest !== '') throw new UnreachableError(url, BROKEN, { isLost: true });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const BROKEN = 'the connection broke in the middle of the answer';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readSoon(url: string, reader: Reader): ReturnType<Reader['read']> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const reason = `nothing came for ${SILENCE_MS / 1000} seconds`;
    timer = setTimeout(() => reject(new UnreachableError(url, reason)), SILENCE_MS);
  });
  const reading = reader.read().catch((cause: unknown) => {
    throw new UnreachableError(url, BROKEN, { cause, isLost: true });
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** JSON has no line break inside a value that is written in one line. All at once is faster than one by one. */
function parseLines(url: string, lines: string): readonly unknown[] {
  try {
    return JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as readonly unknown[];
  } catch {
    throw notOurs(url, 200);
  }
}
