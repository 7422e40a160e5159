import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionTable } from './connection-table.ts';
import type { HttpLimits } from './limits.ts';

/** While stopping, the connections are examined this often. */
const SWEEP_MS = 50;

interface Progress {
  readonly bytes: number;
  /** Sweeps without another octet. */
  readonly sweeps: number;
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
  connections: Pick<ConnectionTable, 'sockets' | 'awaitsClient'>,
  { stopStallMs, stopTimeoutMs }: Pick<HttpLimits, 'stopStallMs' | 'stopTimeoutMs'>,
): () => void {
  const seen = new Map<Socket, Progress>();
  // Sweeps are counted, and not time: after a pause of this process, octets that arrived meanwhile are not read yet.
  const closeStalled = (socket: Socket): void => {
    const bytes = socket.bytesRead;
    const last = seen.get(socket);
    const sweeps = last?.bytes === bytes ? last.sweeps + 1 : 0;
    seen.set(socket, { bytes, sweeps });
    if (sweeps * SWEEP_MS >= stopStallMs) socket.destroy();
  };
  const sweep = (): void => {
    server.closeIdleConnections();
    for (const socket of connections.sockets()) {
      // Browsers open spare connections, which Node does not count as idle.
      if (socket.bytesRead === 0) socket.destroy();
      else if (connections.awaitsClient(socket)) closeStalled(socket);
      else seen.delete(socket);
    }
  };
  const timer = setInterval(sweep, SWEEP_MS);
  const deadline = setTimeout(() => {
    for (const socket of connections.sockets()) socket.destroy();
    server.closeAllConnections();
  }, stopTimeoutMs);
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}
