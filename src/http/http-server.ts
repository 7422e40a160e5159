// Starts and stops the HTTP server. Limits slow clients and the number of connections; on stop, finishes requests in
// progress.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission, createAnonymousCount, createPeerCount } from './admission.ts';
import { createClientAddresses, type ClientAddresses, type TrustedProxies } from './client-address.ts';
import { ConnectionTable } from './connection-table.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpMetrics, Readiness } from './http-app-options.ts';
import { isUnixAddress, type HttpAddress } from './http-address.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { listenHttp, type HttpListener } from './listen-http.ts';
import { createServiceApp } from './service-app.ts';

/** Options of a server without the interface for customers. */
export interface ServiceHttpServerOptions extends HttpListener {
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly metrics?: HttpMetrics;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and networks of proxies that name the client; none if absent. */
  readonly trustedProxies?: TrustedProxies;
}

export interface HttpServerOptions extends ServiceHttpServerOptions {
  readonly context: OperationContext;
  /** Per key; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  /** Origins whose pages may use the interface from a browser, or `*`; none if absent. */
  readonly corsOrigins?: readonly string[];
}

export interface HttpServer {
  readonly address: HttpAddress;
  /** Accepts no more connections, finishes requests in progress, and closes the remaining connections after `stopTimeoutMs`. */
  stop(): Promise<void>;
}

/** Resolves when the socket is bound. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const onCaller = (socket: Socket): void => parts.connections.markKnown(socket);
  const { addresses, limits } = parts;
  const admission = createAdmission(options.context, options.rateLimitPerSecond, { onCaller, addresses });
  return start(createHttpApp({ ...options, admission, limits }), options, parts);
}

/** Starts the server of a process that only serves DNS: health, readiness and metrics. */
export function startServiceHttpServer(options: ServiceHttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const { addresses, limits } = parts;
  const countPeer = createPeerCount(addresses, createAnonymousCount(monotonicClock));
  return start(createServiceApp({ ...options, countPeer, limits }), options, parts);
}

interface ServerParts {
  readonly limits: HttpLimits;
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionTable;
}

function createParts(options: ServiceHttpServerOptions): ServerParts {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const connections = new ConnectionTable(limits, monotonicClock, (socket) => addresses.peerOf(socket));
  return { limits, addresses, connections };
}

async function start(
  app: FastifyInstance,
  options: ServiceHttpServerOptions,
  { limits, addresses, connections }: ServerParts,
): Promise<HttpServer> {
  let isUnix = false;
  app.server.prependListener('connection', (socket) => {
    if (isUnix) addresses.note(socket, addresses.unixPeer);
  });
  connections.watch(app.server);
  await app.ready();
  const address = await listenHttp(app.server, options);
  isUnix = isUnixAddress(address);
  return { address, stop: () => stop(app, connections, limits.stopTimeoutMs) };
}

/** While stopping, connections that have become idle are closed this often. */
const IDLE_SWEEP_MS = 50;

async function stop(app: FastifyInstance, connections: ConnectionTable, timeoutMs: number): Promise<void> {
  const closed = app.close();
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    // Browsers open spare connections, which Node does not count as idle.
    for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy();
  }, IDLE_SWEEP_MS);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
