import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';

/** As many as a TCP window. */
const PIECE_BYTES = 64 * 1024;

/** Zone files shrink to a tenth on level 1 already, in a third of the time that the default takes. */
const LEVEL = 1;

/** Compresses octets as they come, on a thread of Node. When the reader stops, the source is ended. */
export async function* gzipPieces(
  source: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gzip = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES });
  // An error of either side is thrown by the iteration.
  pipeline(joinSmall(source), gzip, () => undefined);
  for await (const piece of gzip) yield piece as Uint8Array;
}

/** Each piece that is compressed goes to another thread and back. */
async function* joinSmall(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let small: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of source) {
    small.push(piece);
    octets += piece.length;
    if (octets < PIECE_BYTES) continue;
    yield Buffer.concat(small);
    small = [];
    octets = 0;
  }
  if (octets > 0) yield Buffer.concat(small);
}
