// Starts and stops the HTTP server. Limits slow clients and the number of connections; on stop, finishes requests in
// progress.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { createAdmission, createAnonymousCount, createPeerCount, type Admission } from './admission.ts';
import {
  createClientAddresses,
  type ClientAddresses,
  type Peer,
  type TrustedProxies,
} from './client-address.ts';
import { ConnectionReceiver, listenersOf } from './connection-receiver.ts';
import { ConnectionTable } from './connection-table.ts';
import { drainConnections } from './drain-connections.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpMetrics, Readiness, ServiceAppOptions } from './http-app-options.ts';
import { isUnixAddress, type HttpAddress, type TcpAddress } from './http-address.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { listenHttp, type HttpListener } from './listen-http.ts';
import { RefusedKeys } from './refused-keys.ts';
import { createSecureTransport } from './secure-transport.ts';
import { createServiceApp } from './service-app.ts';
import type { HttpsListener, OpenedTls } from './tls-listener.ts';

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
  /** Where TLS is spoken; absent: nowhere. */
  readonly https?: HttpsListener | undefined;
}

export interface HttpServerOptions extends ServiceHttpServerOptions {
  readonly context: OperationContext;
  /** Per key; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  /** Origins whose pages may use the interface from a browser, or `*`; none if absent. */
  readonly corsOrigins?: readonly string[];
  /** The console is served to browsers; absent: it is off. */
  readonly console?: true | undefined;
}

export interface HttpServer {
  readonly address: HttpAddress;
  /** Undefined without TLS. */
  readonly httpsAddress: TcpAddress | undefined;
  /** Accepts no more connections, finishes requests in progress and closes the other connections, see `drainConnections`. */
  stop(): Promise<void>;
}

/** Resolves when the socket is bound. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const onCaller = (socket: Socket): void => parts.connections.markKnown(socket);
  const { addresses } = parts;
  const { publicUrl } = options.context.settings;
  const refusedKeys = new RefusedKeys(options.log);
  const admission = createAdmission(options.context, options.rateLimitPerSecond, {
    onCaller,
    onInvalidKey: (address) => refusedKeys.note(address),
    addresses,
  });
  const app = createHttpApp({ ...options, ...appParts(parts, admission.countPeer, publicUrl), admission });
  const server = await start(app, options, parts);
  return { ...server, stop: () => server.stop().finally(() => refusedKeys.finish()) };
}

/** Starts the server of a process that only serves DNS: health, readiness and metrics. */
export function startServiceHttpServer(options: ServiceHttpServerOptions): Promise<HttpServer> {
  const parts = createParts(options);
  const countPeer = createPeerCount(parts.addresses, createAnonymousCount(monotonicClock));
  const app = createServiceApp({ ...options, ...appParts(parts, countPeer), countPeer });
  return start(app, options, parts);
}

interface ServerParts {
  readonly limits: HttpLimits;
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionTable;
  readonly openReceiver: () => ConnectionReceiver;
  readonly onRefused: (reason: ConnectionRefusal) => void;
  readonly onProxyHeader: (() => void) | undefined;
  /** Has the port of HTTPS as soon as it is known; undefined without TLS. */
  readonly https: { port: number } | undefined;
}

function createParts(options: ServiceHttpServerOptions): ServerParts {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const onRefused = (reason: ConnectionRefusal): void =>
    options.metrics?.connections.connectionRefused(reason);
  const peerOf = (socket: Socket): Peer => addresses.peerOf(socket);
  const connections = new ConnectionTable(limits, monotonicClock, { peerOf, onRefused });
  const takesProxyHeaders = options.proxyProtocol === true;
  const openReceiver = (): ConnectionReceiver =>
    new ConnectionReceiver({ addresses, limits, takesProxyHeaders, onRefused });
  const onProxyHeader = takesProxyHeaders ? () => onRefused('proxy_header_untrusted') : undefined;
  const https = options.https && { port: 0 };
  return { limits, addresses, connections, openReceiver, onRefused, onProxyHeader, https };
}

/** The options of an application that depend on its server. */
function appParts(
  { limits, addresses, onProxyHeader, https }: ServerParts,
  countPeer: Admission['countPeer'],
  publicUrl?: string,
): Pick<ServiceAppOptions, 'limits' | 'onProxyHeader' | 'secureTransport'> {
  const { maxHeaderBytes } = limits;
  const secureTransport =
    https &&
    createSecureTransport({ addresses, countPeer, maxHeaderBytes, port: () => https.port, publicUrl });
  return { limits, onProxyHeader, secureTransport };
}

async function start(
  app: FastifyInstance,
  options: ServiceHttpServerOptions,
  parts: ServerParts,
): Promise<HttpServer> {
  const { limits, connections, openReceiver } = parts;
  const receiver = openReceiver();
  const serveHttp1 = listenersOf(app.server);
  connections.watch(app.server);
  await app.ready();
  receiver.watch(app.server);
  const address = await listenHttp(app.server, options);
  receiver.isUnix = isUnixAddress(address);
  const secured = await openTls(app, options.https, serveHttp1, parts).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const stopServer = async (): Promise<void> => {
    receiver.close();
    const closed = Promise.all([app.close(), secured?.tls.close()]);
    const endDrain = drainConnections(app.server, connections, limits);
    await closed;
    endDrain();
  };
  return { address, httpsAddress: secured?.address, stop: stopServer };
}

async function openTls(
  app: FastifyInstance,
  listener: HttpsListener | undefined,
  serveHttp1: (socket: Socket) => void,
  { openReceiver, https, ...parts }: ServerParts,
): Promise<OpenedTls | undefined> {
  if (listener === undefined || https === undefined) return undefined;
  // A service without TLS does not load it.
  const { TlsListener } = await import('./tls-listener.ts');
  const opened = await TlsListener.open(listener, {
    ...parts,
    receiver: openReceiver(),
    serveHttp1,
    // Fastify's types are those of HTTP/1.1.
    handleHttp2: (request, response) =>
      app.routing(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  });
  https.port = opened.address.port;
  return opened;
}
