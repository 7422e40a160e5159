// Requests over HTTP/2 reach the application as Node's compatible objects. Where those differ from the ones of HTTP/1.1, the
// stream itself is used.
import type { ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Returns undefined for a message of HTTP/1.1. */
export function findHttp2Stream(message: IncomingMessage | ServerResponse): ServerHttp2Stream | undefined {
  return (message as { readonly stream?: ServerHttp2Stream }).stream;
}

/** Whether nobody can receive an answer on it any more. */
export function isGone(stream: ServerHttp2Stream): boolean {
  return stream.closed || stream.destroyed;
}

/**
 * Returns an error if the client has reset the stream. Node ends its body then as if all of it had arrived, and half a zone
 * would look like a whole one. An incomplete body of HTTP/1.1 is an error of Node.
 */
export function findBodyCut(message: IncomingMessage): Error | null {
  const stream = findHttp2Stream(message);
  if (stream === undefined || !isGone(stream)) return null;
  return Object.assign(new Error('the stream was reset'), { code: 'ECONNRESET' });
}
