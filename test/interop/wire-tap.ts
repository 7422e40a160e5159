// Relays bytes between a client and the service unchanged and keeps a copy, so that a failing case can show the
// traffic. It never parses HTTP: each client connection is one connection to the service.

import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { Duplex } from 'node:stream';

/** Enough for the exchanges of one case. */
const MAX_TRANSCRIPT_CHARS = 12_000;
/** Shows requests and records completely, and the beginning of long lists. */
const MAX_CHUNK_CHARS = 1_200;

export interface WireTap {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly port: number;
  /** Connects another stream (through TLS) to the service. */
  relay(client: Duplex): void;
  /** Discards the recording. */
  clear(): void;
  transcript(): string;
  close(): void;
}

/** Listens on a random loopback port and relays to the service's HTTP port. */
export async function openWireTap(targetPort: number): Promise<WireTap> {
  let transcript = '';
  const open = new Set<Duplex>();
  const record = (side: string, chunk: Buffer): void => {
    if (transcript.length >= MAX_TRANSCRIPT_CHARS) return;
    const text = chunk.toString('utf8').trimEnd();
    const shown = text.length > MAX_CHUNK_CHARS ? `${text.slice(0, MAX_CHUNK_CHARS)} …` : text;
    transcript += `${side} ${shown.replaceAll('\n', '\n  ')}\n`;
  };
  const relay = (client: Duplex): void => {
    const service = connect(targetPort, '127.0.0.1');
    service.setNoDelay(true);
    for (const [from, to, side] of [
      [client, service, '>'],
      [service, client, '<'],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => record(side, chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  };
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    relay(socket);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    relay,
    clear: () => (transcript = ''),
    transcript: () => transcript,
    close: () => {
      server.close();
      for (const stream of open) stream.destroy();
    },
  };
}

/** Binds a server to a random port of 127.0.0.1 and returns the port. */
export function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
