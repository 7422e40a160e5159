import type { ServerResponse } from 'node:http';
import { findHttp2Stream, isGone } from './http2-stream.ts';

/** Calls back once, when the answer is sent or the client has gone; at once if that has happened. */
export function whenClosed(response: ServerResponse, then: () => void): void {
  const stream = findHttp2Stream(response);
  if (stream === undefined ? response.closed : isGone(stream)) then();
  else response.once('close', then);
}
