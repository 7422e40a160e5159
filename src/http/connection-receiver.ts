// Stands between the listening socket and the HTTP server, and finds out who is at the other end of each connection:
//
//   socket ─▶ Unix socket? ─▶ PROXY protocol header, from trusted proxies, if the setting says so ─▶ connection table, HTTP
//
// Whether a header is expected is never guessed from what arrives: else clients could send one themselves.
import type { Server, Socket } from 'node:net';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import type { ClientAddresses } from './client-address.ts';
import type { HttpLimits } from './limits.ts';
import { readProxyHeader, type ProxyHeader } from './proxy-header.ts';

export interface ReceiverOptions {
  readonly addresses: ClientAddresses;
  readonly limits: HttpLimits;
  /** Trusted proxies send headers of the PROXY protocol. */
  readonly takesProxyHeaders: boolean;
  readonly onRefused: (reason: ConnectionRefusal) => void;
}

export class ConnectionReceiver {
  /** Set when the server listens, before the first connection. */
  isUnix = false;
  private readonly options: ReceiverOptions;
  /** Their header has not arrived whole. */
  private readonly pending = new Set<Socket>();

  constructor(options: ReceiverOptions) {
    this.options = options;
  }

  /**
   * Receives the connections of a server instead of the listeners that it has now, which get them afterwards.
   *
   * @param admit returns false for a connection that the listeners do not get
   */
  watch(server: Server, admit: (socket: Socket) => boolean = () => true): void {
    const pass = listenersOf(server);
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) =>
      this.receive(socket, () => {
        if (admit(socket)) pass(socket);
      }),
    );
  }

  /** Closes the connections that still wait for their header. */
  close(): void {
    for (const socket of this.pending) socket.destroy();
  }

  private receive(socket: Socket, pass: () => void): void {
    const { addresses, limits, takesProxyHeaders, onRefused } = this.options;
    if (this.isUnix) addresses.note(socket, addresses.unixPeer);
    if (!takesProxyHeaders || !addresses.peerOf(socket).isProxy) pass();
    else if (this.pending.size < limits.maxPendingProxyHeaders) this.awaitHeader(socket, pass);
    else {
      onRefused('proxy_headers_pending');
      socket.destroy();
    }
  }

  private awaitHeader(socket: Socket, pass: () => void): void {
    const { limits, onRefused } = this.options;
    let received = Buffer.alloc(0);
    const refuse = (reason: ConnectionRefusal): void => {
      onRefused(reason);
      socket.destroy();
    };
    const take = (data: Buffer): void => {
      received = Buffer.concat([received, data]);
      const header = readProxyHeader(received);
      if (header.kind === 'incomplete') return;
      if (header.kind === 'refused') return refuse(header.reason);
      release();
      this.note(socket, header);
      socket.pause();
      if (received.length > header.sizeBytes) socket.unshift(received.subarray(header.sizeBytes));
      pass();
      process.nextTick(() => socket.resume());
    };
    const drop = (): void => void socket.destroy();
    const timer = setTimeout(() => refuse('proxy_header_timeout'), limits.proxyHeaderTimeoutMs);
    const release = (): void => {
      clearTimeout(timer);
      this.pending.delete(socket);
      socket.off('data', take).off('end', drop).off('error', drop).off('close', release);
    };
    this.pending.add(socket);
    socket.on('data', take).on('end', drop).on('error', drop).on('close', release);
  }

  /** A proxy's own connection keeps the proxy as its peer. */
  private note(socket: Socket, header: ProxyHeader): void {
    const { addresses } = this.options;
    if (header.kind !== 'client') return;
    addresses.note(socket, addresses.clientAt(header.address, header.usesTls));
  }
}

/** Returns a function that passes a connection to the listeners that a server has now. */
export function listenersOf(server: Server): (socket: Socket) => void {
  const listeners = server.listeners('connection');
  return (socket) => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  };
}
