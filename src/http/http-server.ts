// Starts and stops the HTTP server. Limits slow clients and the number of connections; on stop, finishes requests in
// progress.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission, createAnonymousCount, createPeerCount } from './admission.ts';
import {
  createClientAddresses,
  type ClientAddresses,
  type Peer,
  type TrustedProxies,
} from './client-address.ts';
import { ConnectionReceiver } from './connection-receiver.ts';
import { ConnectionTable } from './connection-table.ts';
import { drainConnections } from './drain-connections.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpMetrics, Readiness } from './http-app-options.ts';
import { isUnixAddress, type HttpAddress } from './http-address.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { listenHttp, type HttpListener } from './listen-http.ts';
import { RefusedKeys } from './refused-keys.ts';
import { createServiceApp } from './service-app.ts';

/** Options of a server without the interface for customers. */
export interface ServiceHttpServerOptions extends HttpListener {
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly metrics?: HttpMetrics;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and networks of proxies that name the client; none if absent. */
  readonly trustedProxies?: TrustedProxies;
  /** The trusted proxies send headers of the PROXY protocol, version 2. */
  readonly proxyProtocol?: boolean;
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
  /** Accepts no more connections, finishes requests in progress and closes the other connections, see `drainConnections`. */
  stop(): Promise<void>;
}

/** Resolves when the socket is bound. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const onCaller = (socket: Socket): void => parts.connections.markKnown(socket);
  const { addresses, limits, onProxyHeader } = parts;
  const refusedKeys = new RefusedKeys(options.log);
  const admission = createAdmission(options.context, options.rateLimitPerSecond, {
    onCaller,
    onInvalidKey: (address) => refusedKeys.note(address),
    addresses,
  });
  const app = createHttpApp({ ...options, admission, limits, onProxyHeader });
  const server = await start(app, options, parts);
  return { address: server.address, stop: () => server.stop().finally(() => refusedKeys.finish()) };
}

/** Starts the server of a process that only serves DNS: health, readiness and metrics. */
export function startServiceHttpServer(options: ServiceHttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const { addresses, limits, onProxyHeader } = parts;
  const countPeer = createPeerCount(addresses, createAnonymousCount(monotonicClock));
  return start(createServiceApp({ ...options, countPeer, limits, onProxyHeader }), options, parts);
}

interface ServerParts {
  readonly limits: HttpLimits;
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionTable;
  readonly receiver: ConnectionReceiver;
  readonly onProxyHeader: (() => void) | undefined;
}

function createParts(options: ServiceHttpServerOptions): ServerParts {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const onRefused = (reason: ConnectionRefusal): void =>
    options.metrics?.connections.connectionRefused(reason);
  const peerOf = (socket: Socket): Peer => addresses.peerOf(socket);
  const connections = new ConnectionTable(limits, monotonicClock, { peerOf, onRefused });
  const takesProxyHeaders = options.proxyProtocol === true;
  const receiver = new ConnectionReceiver({ addresses, limits, takesProxyHeaders, onRefused });
  const onProxyHeader = takesProxyHeaders ? () => onRefused('proxy_header_untrusted') : undefined;
  return { limits, addresses, connections, receiver, onProxyHeader };
}

async function start(
  app: FastifyInstance,
  options: ServiceHttpServerOptions,
  { limits, connections, receiver }: ServerParts,
): Promise<HttpServer> {
  connections.watch(app.server);
  await app.ready();
  receiver.watch(app.server);
  const address = await listenHttp(app.server, options);
  receiver.isUnix = isUnixAddress(address);
  const stopServer = async (): Promise<void> => {
    receiver.close();
    const closed = app.close();
    const endDrain = drainConnections(app.server, () => connections.sockets(), limits);
    await closed;
    endDrain();
  };
  return { address, stop: stopServer };
}
