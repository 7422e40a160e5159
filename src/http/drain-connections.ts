import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../base/clock.ts';
import { findResponse } from './client-errors.ts';
import type { HttpLimits } from './limits.ts';

/** While stopping, the connections are examined this often. */
const SWEEP_MS = 50;

interface Progress {
  readonly bytes: number;
  readonly sinceMs: number;
}

/**
 * Closes the connections of a server that accepts no more:
 *
 *   idle                                          at once
 *   a part of a request, and nothing more comes   after `stopStallMs`
 *   a request in progress                         when it is answered, or after `stopTimeoutMs`
 *
 * @returns a function that ends the watch
 */
export function drainConnections(
  server: Server,
  sockets: () => Iterable<Socket>,
  { stopStallMs, stopTimeoutMs }: Pick<HttpLimits, 'stopStallMs' | 'stopTimeoutMs'>,
): () => void {
  const seen = new Map<Socket, Progress>();
  const closeStalled = (socket: Socket, nowMs: number): void => {
    const bytes = socket.bytesRead;
    const last = seen.get(socket);
    if (last?.bytes !== bytes) seen.set(socket, { bytes, sinceMs: nowMs });
    else if (nowMs - last.sinceMs >= stopStallMs) socket.destroy();
  };
  const sweep = (): void => {
    server.closeIdleConnections();
    const nowMs = monotonicClock.elapsedMs();
    for (const socket of sockets()) {
      // Browsers open spare connections, which Node does not count as idle.
      if (socket.bytesRead === 0) socket.destroy();
      else if (awaitsClient(socket)) closeStalled(socket, nowMs);
      else seen.delete(socket);
    }
  };
  const timer = setInterval(sweep, SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}

/** Whether the rest of a request is missing, and no answer to it is being sent. */
function awaitsClient(socket: Socket): boolean {
  if (socket.writableLength > 0) return false;
  return findResponse(socket)?.req.complete !== true;
}
