// Bodies that are generated in pieces while they are sent, no faster than the client reads.
import { nextTurn } from '../base/steps.ts';
import type { Answer } from './answer.ts';
import type { BodySink } from './body-sink.ts';

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
  if (second.done === true && typeof first.value === 'string') return { ...plain, body: first.value };
  if (second.done === true) return { ...plain, stream: prepend([first.value], pieces) };
  return { ...plain, stream: prepend([first.value, second.value], pieces) };
}

/**
 * Sends a stream after the head of the answer. Lets other requests run between the pieces, even if the client reads fast
 * enough that no write has to wait. If generating fails or the client goes away, cuts the answer off.
 */
export async function sendStream(sink: BodySink, stream: Required<Answer>['stream']): Promise<void> {
  try {
    for await (const piece of stream) {
      await sink.write(piece);
      if (sink.isGone) return;
      await nextTurn();
    }
    sink.end();
  } catch (error) {
    sink.cutOff();
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

type Pieces = AsyncGenerator<string | Uint8Array, void, undefined>;

/** Octets come in pieces of their own size. */
async function* gather(stream: Required<Answer>['stream']): Pieces {
  let text = '';
  for await (const piece of stream) {
    if (typeof piece !== 'string') {
      yield piece;
      continue;
    }
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* prepend(first: readonly (string | Uint8Array)[], rest: Pieces): Pieces {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
