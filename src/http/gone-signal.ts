import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the answer is sent or the client has gone. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}
