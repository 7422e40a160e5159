import { createServer, type Server, type Socket } from 'node:net';
import { assert } from '../../base/assert.ts';
import type { DropLog } from '../drop-log.ts';
import type { TcpLimits } from '../nameserver-limits.ts';
import type { ListenAddress } from '../listen-address.ts';
import type { GuardedAnswerer } from '../query/guarded-answerer.ts';
import { tcpClientPrefix } from './tcp-client-prefix.ts';
import { createTcpOutput, TcpConnection } from './tcp-connection.ts';
import type { LongInput } from './tcp-input.ts';

/**
 * DNS over TCP (RFC 7766) on any number of addresses: accepts connections within limits and cuts those that make no
 * progress. If all places are taken, the least recently active connection is closed, so idle clients cannot lock others
 * out.
 */
export class TcpServer {
  private readonly answerer: GuardedAnswerer;
  private readonly limits: TcpLimits;
  private readonly drops: DropLog;
  private readonly servers: Server[] = [];
  /** Maps each connection to its client prefix, least recently active first. */
  private readonly connections = new Map<TcpConnection, string>();
  private readonly perClient = new Map<string, number>();
  private readonly output;
  private readonly longInput: LongInput;
  private sweep: NodeJS.Timeout | undefined;
  private onEmpty: (() => void) | undefined;

  constructor(answerer: GuardedAnswerer, limits: TcpLimits, drops: DropLog) {
    this.answerer = answerer;
    this.limits = limits;
    this.drops = drops;
    this.output = createTcpOutput(limits);
    this.longInput = { freeBytes: limits.longInputBytes };
  }

  /** Listens on an address or a bound socket. Resolves with the port; rejects with the system's error. */
  async listen(to: ListenAddress | { readonly fd: number }): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen('fd' in to ? to : { ...to, ipv6Only: true }, resolve);
    });
    server.removeAllListeners('error');
    server.on('error', (error) => this.drops.count(`accepting failed: ${error.message}`));
    this.servers.push(server);
    const address = server.address();
    assert(typeof address === 'object' && address !== null, 'a TCP server has a port');
    return address.port;
  }

  /** Stops accepting and reading; resolves when all answers in progress have been taken. */
  async finish(): Promise<void> {
    for (const server of this.servers) server.close();
    for (const connection of this.connections.keys()) connection.finish();
    if (this.connections.size > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
  }

  close(): void {
    for (const server of this.servers) server.close();
    for (const connection of this.connections.keys()) connection.cut();
  }

  private accept(socket: Socket): void {
    // A reset is a normal way for the peer to leave; 'close' follows.
    socket.on('error', ignore);
    const client = tcpClientPrefix(socket.remoteAddress ?? '');
    if ((this.perClient.get(client) ?? 0) >= this.limits.connectionsPerClient) {
      this.drops.count('connections refused: too many from one client');
      socket.destroy();
      return;
    }
    if (this.connections.size >= this.limits.connections) this.makeRoom();
    const connection = new TcpConnection({
      socket,
      answerer: this.answerer,
      limits: this.limits,
      output: this.output,
      longInput: this.longInput,
      nowMs: performance.now(),
      onProgress: this.onProgress,
    });
    this.add(connection, client);
    socket.on('close', () => this.remove(connection));
  }

  private readonly onProgress = (connection: TcpConnection): void => {
    connection.extend(performance.now());
    const client = this.connections.get(connection);
    if (client === undefined) return;
    this.connections.delete(connection);
    this.connections.set(connection, client);
  };

  private makeRoom(): void {
    for (const leastRecent of this.connections.keys()) {
      this.drops.count('connections cut: all places were taken');
      leastRecent.cut();
      this.remove(leastRecent);
      return;
    }
  }

  private add(connection: TcpConnection, client: string): void {
    this.connections.set(connection, client);
    this.perClient.set(client, (this.perClient.get(client) ?? 0) + 1);
    this.sweep ??= setInterval(() => this.cutOverdue(), sweepIntervalMs(this.limits));
  }

  private remove(connection: TcpConnection): void {
    const client = this.connections.get(connection);
    if (client === undefined) return;
    this.connections.delete(connection);
    const others = (this.perClient.get(client) ?? 0) - 1;
    if (others > 0) this.perClient.set(client, others);
    else this.perClient.delete(client);
    if (this.connections.size > 0) return;
    clearInterval(this.sweep);
    this.sweep = undefined;
    this.onEmpty?.();
  }

  private cutOverdue(): void {
    const nowMs = performance.now();
    for (const connection of this.connections.keys()) if (connection.deadlineMs < nowMs) connection.cut();
  }
}

/** A quarter of the shortest wait: no connection outlives its deadline by more. */
function sweepIntervalMs({ idleMs, firstQueryMs, slowReaderMs }: TcpLimits): number {
  return Math.ceil(Math.min(idleMs, firstQueryMs, slowReaderMs) / 4);
}

function ignore(): void {
  return undefined;
}
