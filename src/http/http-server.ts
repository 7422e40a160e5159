// Listening and stopping. Cuts clients that are slow, too many or done; what is under way is finished.
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission, createAnonymousCount } from './admission.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpMetrics, Readiness } from './http-app-options.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { createServiceApp } from './service-app.ts';

/** Of a server without the interface for customers. */
export interface ServiceHttpServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** A TCP socket that a supervisor has bound, in the place of host and port; closed when the server stops. */
  readonly descriptor?: number | undefined;
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly metrics?: HttpMetrics;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServerOptions extends ServiceHttpServerOptions {
  readonly context: OperationContext;
  /** Per key; 0: no limit. */
  readonly rateLimitPerSecond: number;
  /** Whose pages may use the interface from a browser, or `*`; left out: nobody's. */
  readonly corsOrigins?: readonly string[];
}

export interface HttpServer {
  readonly address: { readonly host: string; readonly port: number };
  /** Accepts no more, finishes what is under way, cuts what is still there after `stopTimeoutMs`. */
  stop(): Promise<void>;
}

/** One clear sentence on why the server could not start. */
export class HttpServerStartError extends Error {
  override readonly name = 'HttpServerStartError';
}

/** Resolves when the socket is bound. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const admission = createAdmission(options.context, options.rateLimitPerSecond);
  return start(createHttpApp({ ...options, admission, limits }), options, limits);
}

/** For a process that only serves DNS: health, readiness and metrics, nothing else. */
export function startServiceHttpServer(options: ServiceHttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const countAnonymous = createAnonymousCount(systemClock);
  return start(createServiceApp({ ...options, countAnonymous, limits }), options, limits);
}

async function start(
  app: FastifyInstance,
  options: ServiceHttpServerOptions,
  limits: HttpLimits,
): Promise<HttpServer> {
  app.server.maxConnections = limits.maxConnections;
  const open = trackConnections(app);
  await app.ready();
  const address = await listen(app, options);
  return { address, stop: () => stop(app, open, limits.stopTimeoutMs) };
}

/** Not with fastify's own `listen`: for `localhost` that opens a second server without our limits. */
function listen(
  app: FastifyInstance,
  { host, port, descriptor }: ServiceHttpServerOptions,
): Promise<HttpServer['address']> {
  const where = descriptor === undefined ? `${host} port ${port}` : `descriptor ${descriptor}`;
  return new Promise((resolve, reject) => {
    const refuse = (reason: string): void =>
      reject(new HttpServerStartError(`HTTP cannot listen on ${where}: ${reason}`));
    app.server.once('error', (error: NodeJS.ErrnoException) => {
      if (descriptor !== undefined)
        refuse(`it is no TCP socket that is free (${error.code ?? error.message})`);
      else refuse(listenProblems[error.code ?? ''] ?? error.message);
    });
    app.server.listen(descriptor === undefined ? { host, port } : { fd: descriptor }, () => {
      const bound = app.server.address() as Partial<AddressInfo> | null;
      // Node also listens on Unix sockets, which have no port.
      if (bound?.address === undefined || bound.port === undefined) refuse('it is no TCP socket');
      else resolve({ host: bound.address, port: bound.port });
    });
  });
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that address',
  EACCES: 'this user may not open that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};

/** Connections that fall idle while the others finish are looked for this often. */
const idleSweepMs = 50;

function trackConnections(app: FastifyInstance): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function stop(app: FastifyInstance, open: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  const closed = app.close();
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    // Browsers open connections ahead of need; node does not count those as idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }, idleSweepMs);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
