// Shares the connections between clients:
//
//   - one address (IPv6: /64) has a limited number of connections;
//   - when no connection is left, the idlest one of the address with the most makes room for a new client;
//   - connections that have not shown a valid key are closed soon after their last answer;
//   - clients that send or read too slowly are disconnected.
//
// Observes the connections from time to time, so that a request costs nothing here.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import type { MonotonicClock } from '../base/clock.ts';
import type { Peer } from './client-address.ts';
import { clientNetwork } from './client-network.ts';
import { findResponse } from './client-errors.ts';
import type { Http2Connection } from './http2-connection.ts';
import type { HttpLimits } from './limits.ts';

interface Connection {
  readonly network: string;
  /** It has sent a valid key, or is that of a proxy. */
  isKnown: boolean;
  /** When data arrived or was sent, as far as it was observed. */
  activeAtMs: number;
  seenBytes: number;
  /** The transfer that is being measured; undefined if there is nothing to wait for. */
  transfer: Transfer | undefined;
  /** The requests on it; undefined with HTTP/1.1, which has one at a time. */
  http2: Http2Connection | undefined;
}

interface Transfer {
  readonly kind: 'body' | 'answer';
  readonly response: ServerResponse;
  readonly sinceMs: number;
  /** Octets since then. */
  moved: number;
  last: Progress;
}

interface Progress {
  readonly bytes: number;
  /** Octets of the current write that the kernel has not accepted. */
  readonly queued: number;
}

export interface ConnectionCallbacks {
  /** The connections of a proxy carry many clients: they are neither counted by address nor closed soon. */
  readonly peerOf: (socket: Socket) => Peer;
  readonly onRefused: (reason: ConnectionRefusal) => void;
}

export class ConnectionTable {
  private readonly limits: HttpLimits;
  private readonly clock: MonotonicClock;
  private readonly callbacks: ConnectionCallbacks;
  /** In the order in which they were opened. */
  private readonly connections = new Map<Socket, Connection>();
  private readonly networks = new Map<string, Set<Socket>>();

  constructor(limits: HttpLimits, clock: MonotonicClock, callbacks: ConnectionCallbacks) {
    this.limits = limits;
    this.clock = clock;
    this.callbacks = callbacks;
  }

  /** Limits the connections of a server until it is closed. */
  watch(server: Server): void {
    server.on('connection', (socket) => void this.add(socket));
    const timer = setInterval(() => this.check(server), this.limits.connectionsCheckMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Notes that a connection has sent a valid key. */
  markKnown(socket: Socket): void {
    const connection = this.connections.get(socket);
    if (connection !== undefined) connection.isKnown = true;
  }

  /** All open connections. */
  sockets(): Iterable<Socket> {
    return this.connections.keys();
  }

  /** Whether the rest of a request is missing, and no answer to it is being sent. */
  awaitsClient(socket: Socket): boolean {
    if (socket.writableLength > 0) return false;
    const http2 = this.connections.get(socket)?.http2;
    return http2 === undefined ? findResponse(socket)?.req.complete !== true : http2.awaitsClient;
  }

  /** Notes that a connection goes on over TLS; returns false if it was closed meanwhile. */
  secure(socket: Socket, secured: Socket): boolean {
    const connection = this.connections.get(socket);
    if (connection === undefined) return false;
    this.remove(socket);
    this.insert(secured, connection);
    return true;
  }

  /** Notes that a connection carries HTTP/2. */
  carry(socket: Socket, http2: Http2Connection): void {
    const connection = this.connections.get(socket);
    if (connection !== undefined) connection.http2 = http2;
  }

  /** Returns the network that limits count; empty for proxies, whose connections carry many clients. */
  networkOf(socket: Socket): string {
    const { address, isProxy } = this.callbacks.peerOf(socket);
    return isProxy ? '' : clientNetwork(address);
  }

  /** Returns false if there is no room; the connection is closed then. */
  add(socket: Socket): boolean {
    const network = this.networkOf(socket);
    if (!this.makeRoom(network)) {
      const isOver = network !== '' && this.countOf(network) >= this.limits.maxConnectionsPerAddress;
      this.callbacks.onRefused(isOver ? 'address_limit' : 'no_room');
      socket.destroy();
      return false;
    }
    this.insert(socket, {
      network,
      isKnown: this.callbacks.peerOf(socket).isProxy,
      activeAtMs: this.clock.elapsedMs(),
      seenBytes: 0,
      transfer: undefined,
      http2: undefined,
    });
    return true;
  }

  private insert(socket: Socket, connection: Connection): void {
    const ofNetwork = this.networks.get(connection.network) ?? new Set();
    this.networks.set(connection.network, ofNetwork.add(socket));
    this.connections.set(socket, connection);
    socket.once('close', () => this.remove(socket));
  }

  private remove(socket: Socket): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    this.connections.delete(socket);
    const ofNetwork = this.networks.get(connection.network);
    ofNetwork?.delete(socket);
    if (ofNetwork?.size === 0) this.networks.delete(connection.network);
  }

  /** Returns false if there is no room for a connection from a network. */
  private makeRoom(network: string): boolean {
    const own = this.countOf(network);
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    if (network !== '' && own >= maxConnectionsPerAddress) return this.closeIdlest(network, false);
    if (this.connections.size < maxConnections) return true;
    const [largest, size] = this.findLargest();
    // A client that has a key keeps its connections, unless others have fewer.
    return this.closeIdlest(largest, size > own + 1) || this.closeIdlest(network, false);
  }

  private countOf(network: string): number {
    return this.networks.get(network)?.size ?? 0;
  }

  private findLargest(): readonly [network: string, size: number] {
    let [largest, most] = ['', 0];
    for (const [network, { size }] of this.networks) if (size > most) [largest, most] = [network, size];
    return [largest, most];
  }

  /** @param includesKnown connections that have sent a valid key can be closed too, after all others */
  private closeIdlest(network: string, includesKnown: boolean): boolean {
    let idlest: readonly [Socket, Connection] | undefined;
    for (const socket of this.networks.get(network) ?? []) {
      const connection = this.connections.get(socket);
      if (connection === undefined || (connection.isKnown && !includesKnown)) continue;
      if (isBusy(socket, connection)) continue;
      if (idlest === undefined || isIdler(connection, idlest[1])) idlest = [socket, connection];
    }
    if (idlest === undefined) return false;
    this.remove(idlest[0]);
    idlest[0].destroy();
    return true;
  }

  private check(server: Server): void {
    const nowMs = this.clock.elapsedMs();
    for (const [socket, connection] of this.connections) {
      const seenBytes = socket.bytesRead + socket.bytesWritten;
      if (seenBytes !== connection.seenBytes) connection.activeAtMs = nowMs;
      connection.seenBytes = seenBytes;
      if (connection.http2 !== undefined) {
        connection.http2.check(nowMs, connection.isKnown);
        continue;
      }
      const response = findResponse(socket);
      if (response) this.checkTransfer(server, socket, connection, response, nowMs);
      else this.checkIdle(socket, connection, nowMs);
    }
  }

  /** Node itself closes connections that have not sent a whole head yet. */
  private checkIdle(socket: Socket, connection: Connection, nowMs: number): void {
    connection.transfer = undefined;
    if (connection.isKnown || socket.bytesWritten === 0) return;
    if (nowMs - connection.activeAtMs >= this.limits.keylessIdleMs) socket.destroy();
  }

  private checkTransfer(
    server: Server,
    socket: Socket,
    connection: Connection,
    response: ServerResponse,
    nowMs: number,
  ): void {
    const kind = findTransferKind(socket, response);
    const last = kind === undefined ? undefined : measure(socket, kind);
    const { transfer } = connection;
    if (kind === undefined || last === undefined) connection.transfer = undefined;
    else if (transfer?.kind !== kind || transfer.response !== response)
      connection.transfer = { kind, response, sinceMs: nowMs, moved: 0, last };
    else {
      transfer.moved += Math.max(0, last.bytes - transfer.last.bytes);
      transfer.moved += Math.max(0, transfer.last.queued - last.queued);
      transfer.last = last;
      const elapsedMs = nowMs - transfer.sinceMs;
      if (elapsedMs < this.limits.throughputWindowMs) return;
      if (transfer.moved * 1000 < this.limits.minBytesPerSecond * elapsedMs) disconnect(server, socket, kind);
      connection.transfer = undefined;
    }
  }
}

/** Whether a request is in progress. */
function isBusy(socket: Socket, { http2 }: Connection): boolean {
  return http2 === undefined ? Boolean(findResponse(socket)) : http2.isBusy;
}

/** Connections without a key come first, then those that were active longest ago. */
function isIdler(a: Connection, b: Connection): boolean {
  return a.isKnown === b.isKnown ? a.activeAtMs < b.activeAtMs : b.isKnown;
}

/** Returns what the service waits for: the rest of a body that it reads, or a client that reads its answer. */
function findTransferKind(socket: Socket, response: ServerResponse): Transfer['kind'] | undefined {
  if (socket.writableLength > 0) return 'answer';
  const { req: request } = response;
  return !request.complete && request.readableFlowing === true ? 'body' : undefined;
}

function measure(socket: Socket, kind: Transfer['kind']): Progress {
  if (kind === 'body') return { bytes: socket.bytesRead, queued: 0 };
  return { bytes: socket.bytesWritten - socket.writableLength, queued: queuedBytes(socket) };
}

/** Node counts a write only when all of it is sent; this undocumented member shows how much of it is. */
function queuedBytes(socket: Socket): number {
  return (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;
}

/** A client that sends slowly gets 408; one that does not read would not read an answer either. */
function disconnect(server: Server, socket: Socket, kind: Transfer['kind']): void {
  if (kind === 'answer') socket.destroy();
  else {
    const error = Object.assign(new Error('the body arrives too slowly'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    server.emit('clientError', error, socket);
  }
}
