// Serves HTTP/2 on connections that were accepted elsewhere, and passes the requests to the application of HTTP/1.1.
import {
  createServer,
  type Http2Server as NodeHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
} from 'node:http2';
import type { Socket } from 'node:net';
import { assert } from '../base/assert.ts';
import type { MonotonicClock } from '../base/clock.ts';
import { answerError } from './answer.ts';
import { Http2Connection } from './http2-connection.ts';
import type { HttpLimits } from './limits.ts';
import { OpenStreams } from './open-streams.ts';

export interface Http2Options {
  readonly limits: HttpLimits;
  readonly clock: MonotonicClock;
  /** The network that limits count; empty for proxies. */
  readonly networkOf: (socket: Socket) => string;
  /** Handles a request of Node's compatible interface. */
  readonly handle: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  /** Called when a client is disconnected because it has reset too many requests. */
  readonly onAbuse: () => void;
}

export class Http2Server {
  private readonly options: Http2Options;
  private readonly openStreams: OpenStreams;
  private readonly server: NodeHttp2Server;
  private readonly connections = new Map<Http2Session, Http2Connection>();
  private isClosing = false;

  constructor(options: Http2Options) {
    const { limits } = options;
    this.options = options;
    this.openStreams = new OpenStreams(limits);
    this.server = createServer({
      maxHeaderListPairs: limits.maxHeaderPairs,
      maxSessionMemory: limits.maxConnectionMemoryMb,
      settings: {
        maxConcurrentStreams: limits.maxStreamsPerConnection,
        initialWindowSize: limits.streamWindowBytes,
        enablePush: false,
      },
    });
    this.server.on('request', (request, response) => this.receive(request, response));
    this.server.on('connect', (_request: Http2ServerRequest, response: Http2ServerResponse) =>
      refuseTunnel(response),
    );
    // Expectations other than 100-continue may be ignored (RFC 9110 section 10.1.1).
    this.server.on('checkExpectation', (request: Http2ServerRequest, response: Http2ServerResponse) =>
      this.receive(request, response),
    );
  }

  /** Serves a connection on which the client has chosen HTTP/2. */
  serve(socket: Socket): Http2Connection {
    let session: ServerHttp2Session | undefined;
    this.server.once('session', (opened) => (session = opened));
    this.server.emit('connection', socket);
    assert(session !== undefined, 'Node opens the session before emit returns');
    const { limits, clock, networkOf, onAbuse } = this.options;
    const { openStreams, connections } = this;
    const network = networkOf(socket);
    const connection = new Http2Connection(session, socket, { limits, clock, openStreams, network, onAbuse });
    connections.set(session, connection);
    session.once('close', () => connections.delete(connection.session));
    if (this.isClosing) connection.close();
    return connection;
  }

  /** Lets requests in progress end, and accepts no others. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.connections.values()) connection.close();
  }

  private receive(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { session } = request.stream;
    const connection = session && this.connections.get(session);
    if (connection?.admit(request) !== true) return;
    adapt(request, connection.socket);
    this.options.handle(request, response);
  }
}

/** Makes a request look as the application and fastify know it from HTTP/1.1. */
function adapt(request: Http2ServerRequest, socket: Socket): void {
  const { headers, stream } = request;
  headers.host ??= request.authority;
  // A body needs no length here; fastify looks for one of two headers to know that there is one.
  if (!stream.endAfterHeaders && headers['content-length'] === undefined)
    headers['transfer-encoding'] = 'chunked';
  // Node's own is another object for each request, and fails when the request has ended.
  Object.defineProperty(request, 'socket', { value: socket });
}

/** This server is no proxy. */
function refuseTunnel(response: Http2ServerResponse): void {
  const { status, body } = answerError({
    code: 'invalid_request',
    message: 'The request is not well-formed HTTP',
  });
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
}
