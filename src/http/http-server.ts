// Starts and stops the HTTP server. Limits slow clients and the number of connections; on stop, finishes requests in
// progress.
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission, createAnonymousCount } from './admission.ts';
import { createClientAddresses, type TrustedProxies } from './client-address.ts';
import { ConnectionTable } from './connection-table.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpMetrics, Readiness } from './http-app-options.ts';
import { HttpServerStartError, listenFailure } from './http-server-start-error.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { createServiceApp } from './service-app.ts';

/** Options of a server without the interface for customers. */
export interface ServiceHttpServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** A TCP socket bound by a supervisor, used instead of host and port; closed when the server stops. */
  readonly descriptor?: number | undefined;
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly metrics?: HttpMetrics;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServerOptions extends ServiceHttpServerOptions {
  readonly context: OperationContext;
  /** Per key; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  /** Addresses and networks of proxies that name the client; none if absent. */
  readonly trustedProxies?: TrustedProxies;
  /** Origins whose pages may use the interface from a browser, or `*`; none if absent. */
  readonly corsOrigins?: readonly string[];
}

export interface HttpServer {
  readonly address: { readonly host: string; readonly port: number };
  /** Accepts no more connections, finishes requests in progress, and closes the remaining connections after `stopTimeoutMs`. */
  stop(): Promise<void>;
}

/** Resolves when the socket is bound. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const connections = new ConnectionTable(limits, monotonicClock, (peer) => addresses.isProxy(peer));
  const onCaller = (socket: Socket): void => connections.markKnown(socket);
  const admission = createAdmission(options.context, options.rateLimitPerSecond, { onCaller, addresses });
  return start(createHttpApp({ ...options, admission, limits }), options, limits, connections);
}

/** Starts the server of a process that only serves DNS: health, readiness and metrics. */
export function startServiceHttpServer(options: ServiceHttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const connections = new ConnectionTable(limits, monotonicClock);
  const countAnonymous = createAnonymousCount(monotonicClock);
  return start(createServiceApp({ ...options, countAnonymous, limits }), options, limits, connections);
}

async function start(
  app: FastifyInstance,
  options: ServiceHttpServerOptions,
  limits: HttpLimits,
  connections: ConnectionTable,
): Promise<HttpServer> {
  connections.watch(app.server);
  await app.ready();
  const address = await listen(app, options);
  return { address, stop: () => stop(app, connections, limits.stopTimeoutMs) };
}

/** Does not use fastify's own `listen`, which opens a second server without our limits for `localhost`. */
function listen(
  app: FastifyInstance,
  { host, port, descriptor }: ServiceHttpServerOptions,
): Promise<HttpServer['address']> {
  const where = descriptor === undefined ? `${host} port ${port}` : `descriptor ${descriptor}`;
  return new Promise((resolve, reject) => {
    const refuse = (reason: string): void =>
      reject(new HttpServerStartError(`HTTP cannot listen on ${where}: ${reason}`));
    app.server.once('error', (error: NodeJS.ErrnoException) => {
      if (descriptor !== undefined) refuse(`it is not an unused TCP socket (${error.code ?? error.message})`);
      else reject(listenFailure(where, error.code ?? '', error.message));
    });
    app.server.listen(descriptor === undefined ? { host, port } : { fd: descriptor }, () => {
      const bound = app.server.address() as Partial<AddressInfo> | null;
      // Unix sockets have no port.
      if (bound?.address === undefined || bound.port === undefined) refuse('it is not a TCP socket');
      else resolve({ host: bound.address, port: bound.port });
    });
  });
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
