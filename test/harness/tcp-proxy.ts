// A loopback proxy between a client and a server that breaks their connections on demand: after an exact number of
// octets in one direction, all at once, or by passing nothing any more.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** `toServer` is the direction of the client's data. */
export type Direction = 'toServer' | 'toClient';

export interface TcpProxy {
  readonly port: number;
  /** Octets passed so far, over all connections. */
  passed(direction: Direction): number;
  /**
   * Resets the connection, in both directions and only once, after this many further octets.
   *
   * @param onCut called in the same moment, before anyone can have reconnected
   */
  cutAfter(direction: Direction, octets: number, onCut?: () => void): void;
  /** True if the last `cutAfter` has happened. */
  hasCut(): boolean;
  /** Keeps the existing connections open but passes nothing on them any more. */
  freeze(): void;
  /** Resets all connections. */
  cutAll(): void;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Cut {
  readonly direction: Direction;
  octets: number;
  readonly onCut: (() => void) | undefined;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const passed = { toServer: 0, toClient: 0 };
  const pairs = new Set<readonly [Socket, Socket]>();
  let cut: Cut | null = null;
  const port = await freePort();
  let server: Server | undefined;

  const accept = (client: Socket): void => {
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    const pass = (from: Socket, to: Socket, direction: Direction): void => {
      from.on('data', (data) => {
        const room = cut?.direction === direction ? cut.octets : Infinity;
        passed[direction] += Math.min(room, data.length);
        if (cut !== null && data.length >= room) {
          const { onCut } = cut;
          cut = null;
          pairs.delete(pair);
          to.end(data.subarray(0, room));
          from.resetAndDestroy();
          onCut?.();
          return;
        }
        if (cut?.direction === direction) cut.octets -= data.length;
        to.write(data);
      });
      from.on('close', end);
      from.on('error', end);
    };
    pass(client, upstream, 'toServer');
    pass(upstream, client, 'toClient');
  };

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(accept).once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const cutAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
    pairs.clear();
  };
  await start();
  return {
    port,
    passed: (direction) => passed[direction],
    cutAfter: (direction, octets, onCut) => (cut = { direction, octets, onCut }),
    hasCut: () => cut === null,
    freeze() {
      for (const pair of pairs) for (const socket of pair) socket.pause().removeAllListeners('data');
    },
    cutAll,
    async stop() {
      const closed = new Promise((resolve) => server?.close(resolve));
      cutAll();
      await closed;
    },
    start,
  };
}
