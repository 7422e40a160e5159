// Sends answers over HTTP/2. Bodies leave in slices, which shows whether the client takes them.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { BodySink } from './body-sink.ts';
import { isGone } from './http2-stream.ts';
import { defaultHttpLimits } from './limits.ts';

/** A client that reads as slowly as it may takes one in `throughputWindowMs`. */
const SLICE_BYTES = (defaultHttpLimits.minBytesPerSecond * defaultHttpLimits.throughputWindowMs) / 1000;

/** Smaller pieces are passed on together. The limit of a stream itself depends on the version of Node: one or two slices. */
const MAX_BUFFERED_BYTES = 16 * 1024;

/** Octets of the bodies that were passed on to Node. */
const handedOver = new WeakMap<ServerHttp2Stream, number>();

/** Returns how many octets of the body have left Node, in whole slices. */
export function octetsTaken(stream: ServerHttp2Stream): number {
  return (handedOver.get(stream) ?? 0) - stream.writableLength;
}

/** @param headers name, value, name, value … */
export function writeHttp2Head(response: ServerResponse, status: number, headers: readonly string[]): void {
  const fields: OutgoingHttpHeaders = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at].toLowerCase();
    const former = fields[name];
    fields[name] = former === undefined ? headers[at + 1] : [former, headers[at + 1]].flat().map(String);
  }
  response.writeHead(status, fields);
}

/** Sends a whole body after the head. */
export function sendHttp2Body(stream: ServerHttp2Stream, text: string): void {
  if (isGone(stream)) return;
  const body = Buffer.from(text);
  if (body.length > SLICE_BYTES) void writeSlices(stream, body).then(() => finish(stream));
  else {
    handedOver.set(stream, body.length);
    finish(stream, body);
  }
}

export function createHttp2Sink(stream: ServerHttp2Stream): BodySink {
  return {
    get isGone() {
      return isGone(stream);
    },
    write: (piece) => writeSlices(stream, Buffer.from(piece)),
    end: () => finish(stream),
    cutOff: () => cutOffHttp2(stream),
  };
}

/**
 * Ends a stream so that its client knows neither the answer nor the rest of it. The code must not be one that says that
 * nothing was done, such as REFUSED_STREAM (RFC 9113 section 8.7).
 */
export function cutOffHttp2(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_INTERNAL_ERROR);
}

/** Resolves when all has left Node, or when the client has gone. */
async function writeSlices(stream: ServerHttp2Stream, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !isGone(stream); at += SLICE_BYTES) {
    const slice = body.subarray(at, at + SLICE_BYTES);
    handedOver.set(stream, (handedOver.get(stream) ?? 0) + slice.length);
    await writeSlice(stream, slice);
  }
}

/** Resolves when the slice has left Node, at once if it is small, or when the client has gone. */
function writeSlice(stream: ServerHttp2Stream, slice: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('close', settle);
      resolve();
    };
    stream.on('close', settle);
    stream.write(slice, settle);
    if (stream.writableLength < MAX_BUFFERED_BYTES) settle();
  });
}

function finish(stream: ServerHttp2Stream, lastSlice?: Buffer): void {
  if (isGone(stream)) return;
  stream.end(lastSlice);
  // Asks the client not to send the rest of a body that nobody reads (RFC 9113 section 8.1).
  if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}
