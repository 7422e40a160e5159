// Bodies that are made in pieces as they are sent, no faster than the client reads.
import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

/** Pieces are gathered to this size: fewer writes, and no more in memory than a client's window. */
const PIECE_CHARACTERS = 65_536;

/**
 * Makes a stream's first piece: what fails until then is still answered as an error, and a short body becomes a plain one
 * with its length.
 */
export async function beginStream(answer: Answer): Promise<Answer> {
  const { stream, ...plain } = answer;
  if (stream === undefined) return answer;
  const pieces = gather(stream);
  const first = await pieces.next();
  if (first.done === true) return plain;
  const second = await pieces.next();
  if (second.done === true) return { ...plain, body: first.value };
  return { ...plain, stream: prepend([first.value, second.value], pieces) };
}

/**
 * Sends it behind a head that was written, other requests' work between the pieces: of a client that reads quickly no write
 * ever waits. Where the making fails, or the client goes away, the connection is cut: what has come then is no whole body.
 */
export async function sendStream(
  response: ServerResponse,
  stream: Required<Answer>['stream'],
): Promise<void> {
  try {
    for await (const piece of stream) {
      if (!response.write(piece)) await drained(response);
      if (response.destroyed) return;
      await new Promise(setImmediate);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Lets go of what a stream that nobody wants holds. */
export async function endStream(stream: Required<Answer>['stream']): Promise<void> {
  if (!(Symbol.asyncIterator in stream)) return;
  const pieces = stream[Symbol.asyncIterator]();
  // A generator that never began runs nothing when it is returned, and would hold on.
  await pieces.next();
  await pieces.return?.();
}

type Pieces = AsyncGenerator<string, void, undefined>;

async function* gather(stream: Required<Answer>['stream']): Pieces {
  let text = '';
  for await (const piece of stream) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* prepend(first: readonly string[], rest: Pieces): Pieces {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
  });
}
