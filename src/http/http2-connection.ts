// One connection of HTTP/2. Keeps the limits that Node keeps for HTTP/1.1 alone:
//
//   - a request whose body does not arrive in time gets 408;
//   - a request whose answer is not read is reset;
//   - a client that does not even take the reset, because it reads nothing at all, is disconnected;
//   - a connection without requests is closed, soon if it has not shown a valid key;
//   - a client that makes requests and resets them, which costs it nothing, is disconnected.
//
// Observes the requests from time to time; the connection table has the timer.
import type { Socket } from 'node:net';
import {
  constants,
  type Http2ServerRequest,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { MonotonicClock } from '../base/clock.ts';
import { octetsTaken } from './http2-answer.ts';
import type { HttpLimits } from './limits.ts';
import type { OpenStreams } from './open-streams.ts';

/** A request in progress. */
interface OpenRequest {
  readonly request: Http2ServerRequest;
  readonly sinceMs: number;
  /** The octets that the client has taken at the last look, and when it took them; undefined: nothing waits for it. */
  taken: { readonly octets: number; readonly sinceMs: number } | undefined;
  /** When it was reset. It stays in progress until the reset has left. */
  resetAtMs: number | undefined;
}

export interface Http2ConnectionOptions {
  readonly limits: HttpLimits;
  readonly clock: MonotonicClock;
  readonly openStreams: OpenStreams;
  /** The client's, as limits count it; empty for proxies. */
  readonly network: string;
  /** Called when the client is disconnected because it has reset too many requests. */
  readonly onAbuse: () => void;
}

export class Http2Connection {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
  private readonly options: Http2ConnectionOptions;
  private readonly requests = new Map<ServerHttp2Stream, OpenRequest>();
  private idleSinceMs: number;
  private isClosing = false;
  /** Moves ahead of the clock by an interval with each reset (generic cell rate algorithm). */
  private resetsPaidAtMs = 0;

  constructor(session: ServerHttp2Session, socket: Socket, options: Http2ConnectionOptions) {
    this.session = session;
    this.socket = socket;
    this.options = options;
    this.idleSinceMs = options.clock.elapsedMs();
    session.setLocalWindowSize(options.limits.connectionWindowBytes);
  }

  /** Whether a request is in progress. */
  get isBusy(): boolean {
    return this.requests.size > 0;
  }

  /** Whether all requests in progress wait for the rest of their bodies. */
  get awaitsClient(): boolean {
    return Array.from(this.requests.keys()).every(
      (stream) => awaitsBody(stream) && stream.writableLength === 0,
    );
  }

  /** Returns false if there is no room for the request; then it is refused, and the client may send it again. */
  admit(request: Http2ServerRequest): boolean {
    const { openStreams, network, clock } = this.options;
    const { stream } = request;
    if (!openStreams.take(network)) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return false;
    }
    this.requests.set(stream, {
      request,
      sinceMs: clock.elapsedMs(),
      taken: undefined,
      resetAtMs: undefined,
    });
    stream.once('close', () => {
      openStreams.release(network);
      this.requests.delete(stream);
      this.idleSinceMs = clock.elapsedMs();
      if (stream.aborted) this.countReset(stream);
    });
    return true;
  }

  /** Lets requests in progress end, and accepts no others. */
  close(): void {
    this.isClosing = true;
    if (!this.session.closed) this.session.close();
  }

  /** @param isKnown it has sent a valid key, or is that of a proxy */
  check(nowMs: number, isKnown: boolean): void {
    for (const [stream, open] of this.requests) this.checkRequest(stream, open, nowMs);
    if (this.isBusy) return;
    const { keepAliveTimeoutMs, keylessIdleMs } = this.options.limits;
    // The client has not closed its side since the last check.
    if (this.isClosing) this.socket.destroy();
    else if (nowMs - this.idleSinceMs >= (isKnown ? keepAliveTimeoutMs : keylessIdleMs)) this.close();
  }

  private checkRequest(stream: ServerHttp2Stream, open: OpenRequest, nowMs: number): void {
    const { requestTimeoutMs, throughputWindowMs } = this.options.limits;
    if (open.resetAtMs !== undefined) {
      if (nowMs - open.resetAtMs >= throughputWindowMs) this.socket.destroy();
    } else if (awaitsBody(stream) && nowMs - open.sinceMs >= requestTimeoutMs) {
      if (canAnswer(stream, open.request)) failBody(open.request);
      else reset(stream, open, nowMs);
    } else this.checkAnswer(stream, open, nowMs);
  }

  private checkAnswer(stream: ServerHttp2Stream, open: OpenRequest, nowMs: number): void {
    const { throughputWindowMs, minBytesPerSecond } = this.options.limits;
    const unread = stream.writableLength;
    const octets = octetsTaken(stream);
    if (unread === 0) open.taken = undefined;
    else if (open.taken?.octets !== octets) open.taken = { octets, sinceMs: nowMs };
    else {
      // Files of the reference page are one slice each.
      const allowedMs = Math.max(throughputWindowMs, (unread * 1000) / minBytesPerSecond);
      if (nowMs - open.taken.sinceMs >= allowedMs) reset(stream, open, nowMs);
    }
  }

  private countReset(stream: ServerHttp2Stream): void {
    // The service itself has closed it: the outcome of a write is unknown.
    if (stream.rstCode === constants.NGHTTP2_INTERNAL_ERROR || this.session.destroyed) return;
    const { maxStreamResets, streamResetsWindowMs } = this.options.limits;
    const nowMs = this.options.clock.elapsedMs();
    const intervalMs = streamResetsWindowMs / maxStreamResets;
    this.resetsPaidAtMs = Math.max(this.resetsPaidAtMs, nowMs) + intervalMs;
    if (this.resetsPaidAtMs - nowMs <= streamResetsWindowMs) return;
    this.options.onAbuse();
    this.session.destroy(new Error('too many resets'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** Whether a part of the body has not arrived, or was not read yet. */
function awaitsBody(stream: ServerHttp2Stream): boolean {
  return !stream.endAfterHeaders && !stream.readableEnded;
}

function reset(stream: ServerHttp2Stream, open: OpenRequest, nowMs: number): void {
  open.resetAtMs = nowMs;
  stream.close(constants.NGHTTP2_CANCEL);
}

/** Whether its body is being read, and it has no answer yet. */
function canAnswer(stream: ServerHttp2Stream, request: Http2ServerRequest): boolean {
  return !stream.headersSent && request.listenerCount('error') > 0;
}

/** Lets the request get 408; no other part of the service has to wait for its body. */
function failBody(request: Http2ServerRequest): void {
  request.emit(
    'error',
    Object.assign(new Error('the body does not arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
  );
}
