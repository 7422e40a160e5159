// Listening and stopping. Cuts clients that are slow, too many or done; what is under way is finished.
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission } from './admission.ts';
import { createHttpApp } from './http-app.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly context: OperationContext;
  /** Per key; 0: no limit. */
  readonly rateLimitPerSecond: number;
  readonly isReady: () => boolean;
  readonly log: Log;
  readonly limits?: Partial<HttpLimits>;
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
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const admission = createAdmission(options.context, options.rateLimitPerSecond);
  const app = createHttpApp({ ...options, admission, limits });
  app.server.maxConnections = limits.maxConnections;
  const open = trackConnections(app);
  await app.ready();
  const address = await listen(app, options);
  return { address, stop: () => stop(app, open, limits.stopTimeoutMs) };
}

/** Not with fastify's own `listen`: for `localhost` that opens a second server without our limits. */
function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer['address']> {
  return new Promise((resolve, reject) => {
    app.server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = listenProblems[error.code ?? ''] ?? error.message;
      reject(new HttpServerStartError(`HTTP cannot listen on ${host} port ${port}: ${reason}`));
    });
    app.server.listen({ host, port }, () => {
      const bound = app.server.address() as AddressInfo;
      resolve({ host: bound.address, port: bound.port });
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
