// Bodies that are generated in pieces while they are sent, no faster than the client reads.
import type { ServerResponse } from 'node:http';
import { nextTurn } from '../base/steps.ts';
import type { Answer } from './answer.ts';

/** Pieces are joined to this size: few writes, and no more in memory than a TCP window. */
const PIECE_CHARACTERS = 65_536;

/**
 * Generates a stream's first pieces. Errors until then can still be answered as errors, and a short body becomes a plain body
 * with a length.
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
 * Sends a stream after the head of the response. Lets other requests run between the pieces, even if the client reads fast
 * enough that no write has to wait. If generating fails or the client goes away, closes the connection, so that the client
 * can tell that the body is incomplete.
 */
export async function sendStream(
  response: ServerResponse,
  stream: Required<Answer>['stream'],
): Promise<void> {
  try {
    for await (const piece of stream) {
      if (!response.write(piece)) await drained(response);
      if (response.destroyed) return;
      await nextTurn();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Releases the resources of a stream that is not sent. */
export async function endStream(stream: Required<Answer>['stream']): Promise<void> {
  if (!(Symbol.asyncIterator in stream)) return;
  const pieces = stream[Symbol.asyncIterator]();
  // A generator that has not started does not run its `finally` blocks on return.
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
