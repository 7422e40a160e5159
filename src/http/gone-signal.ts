import type { ServerResponse } from 'node:http';
import { whenClosed } from './when-closed.ts';

/** Returns a signal that is aborted when the answer is sent or the client has gone. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenClosed(response, () => gone.abort());
  return gone.signal;
}
