// Accepts connections over TLS, and passes them on to the server of the protocol that the client has chosen (ALPN):
//
//   socket ─▶ connection receiver ─▶ connection table ─▶ handshake ─┬─▶ HTTP/1.1, as on plain connections
//                                                                   └─▶ HTTP/2
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { monotonicClock } from '../base/clock.ts';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import type { ClientAddresses } from './client-address.ts';
import type { ConnectionReceiver } from './connection-receiver.ts';
import type { ConnectionTable } from './connection-table.ts';
import type { TcpAddress } from './http-address.ts';
import { Http2Server } from './http2-server.ts';
import { tlsHandshakes, type HttpLimits } from './limits.ts';
import { listenHttp, type HttpListener } from './listen-http.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { TlsFiles } from './tls-files.ts';
import { secureContextOf } from './tls-pair.ts';

export interface HttpsListener extends HttpListener {
  readonly address: TcpAddress;
  /** New connections get the certificate that is current. */
  readonly files: TlsFiles;
}

export interface TlsListenerParts {
  readonly limits: HttpLimits;
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionTable;
  readonly receiver: ConnectionReceiver;
  readonly onRefused: (reason: ConnectionRefusal) => void;
  /** Serves HTTP/1.1 on a connection. */
  readonly serveHttp1: (socket: Socket) => void;
  readonly handleHttp2: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}

export interface OpenedTls {
  readonly tls: TlsListener;
  readonly address: TcpAddress;
}

export class TlsListener {
  private readonly parts: TlsListenerParts;
  private readonly server: Server;
  private readonly http2: Http2Server;
  private readonly handshakes = createRateLimiter('handshake', tlsHandshakes);

  private constructor(files: TlsFiles, parts: TlsListenerParts) {
    const { limits, connections, receiver, onRefused, handleHttp2: handle } = parts;
    this.parts = parts;
    this.http2 = new Http2Server({
      limits,
      clock: monotonicClock,
      networkOf: (socket) => connections.networkOf(socket),
      handle,
      onAbuse: () => onRefused('stream_resets'),
    });
    this.server = createServer({
      ...secureContextOf(files.current),
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: limits.handshakeTimeoutMs,
      noDelay: true,
    });
    receiver.watch(this.server, (socket) => this.admit(socket));
    this.server.on('secureConnection', (socket) => this.serve(socket));
    this.server.on('tlsClientError', (error, socket) => this.refuse(error, socket));
    files.onChange((pair) => this.server.setSecureContext(secureContextOf(pair)));
  }

  /** @throws HttpServerStartError with one sentence for the operator */
  static async open(listener: HttpsListener, parts: TlsListenerParts): Promise<OpenedTls> {
    const tls = new TlsListener(listener.files, parts);
    const address = await listenHttp(tls.server, listener);
    return { tls, address: address as TcpAddress };
  }

  /** Accepts no more connections; resolves when the last one is closed. */
  close(): Promise<void> {
    this.http2.close();
    this.parts.receiver.close();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Returns false if a connection is closed before its handshake. */
  private admit(socket: Socket): boolean {
    const { connections, onRefused } = this.parts;
    if (!connections.add(socket)) return false;
    const network = connections.networkOf(socket);
    if (network === '' || this.handshakes.take(network, monotonicClock.elapsedMs()).retryAfterSeconds === 0)
      return true;
    onRefused('tls_handshake_limit');
    socket.destroy();
    return false;
  }

  private serve(secured: TLSSocket): void {
    const { addresses, connections, serveHttp1 } = this.parts;
    const socket = carrierOf(secured);
    addresses.note(secured, addresses.peerOf(socket));
    if (secured.destroyed || !connections.secure(socket, secured)) secured.destroy();
    else if (secured.alpnProtocol === 'h2') connections.carry(secured, this.http2.serve(secured));
    else serveHttp1(secured);
  }

  private refuse({ code }: NodeJS.ErrnoException, secured: TLSSocket): void {
    secured.destroy();
    // The client has gone, as those do that only look whether the port is open.
    if (code === 'ECONNRESET') return;
    const isLate = code === 'ERR_TLS_HANDSHAKE_TIMEOUT';
    this.parts.onRefused(isLate ? 'tls_handshake_timeout' : 'tls_handshake_failed');
  }
}

/** Returns the connection that TLS runs on. Node keeps it in this undocumented member. */
function carrierOf(secured: TLSSocket): Socket {
  return (secured as unknown as { readonly _parent: Socket })._parent;
}
