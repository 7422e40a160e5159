// Sends all answers. Bypasses fastify's reply, which would add a charset to the content type of JSON (contract rule 3) and
// process the finished text again.
import './request-state.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import type { Answer } from './answer.ts';
import { createHttp1Sink } from './body-sink.ts';
import { discardBody, hasBodyToCome } from './discard-body.ts';
import { createHttp2Sink, cutOffHttp2, sendHttp2Body, writeHttp2Head } from './http2-answer.ts';
import { findHttp2Stream } from './http2-stream.ts';
import { defaultHttpLimits } from './limits.ts';
import type { Quota } from './rate-limiter.ts';
import { endStream, sendStream } from './stream-body.ts';

/** Requests without a valid key say how long a connection without one stays open, also on others: that is only cautious. */
const keylessKeepAlive = `timeout=${Math.floor(defaultHttpLimits.keylessIdleMs / 1000)}`;

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer, log: Log): void {
  if (reply.sent) return;
  reply.hijack();
  request.errorCode = answer.code ?? null;
  const headers = commonHeaders(request.id, request.quota);
  if (request.crossOrigin !== null) headers.push(...request.crossOrigin);
  if (answer.headers !== undefined) headers.push(...answer.headers);
  if (answer.etag !== undefined) headers.push('ETag', answer.etag);
  const stream = findHttp2Stream(reply.raw);
  // Node would announce the time of connections that have shown a key.
  if (request.caller === null && reply.raw.shouldKeepAlive) headers.push('Keep-Alive', keylessKeepAlive);
  headers.push(...contentHeaders(answer));
  if (stream !== undefined) writeHttp2Head(reply.raw, answer.status, headers);
  else {
    if (hasBodyToCome(request.raw)) discardBody(request.raw);
    reply.raw.writeHead(answer.status, headers);
  }
  sendBody(request, reply, answer, log);
  log.debug(
    {
      requestId: request.id,
      method: request.method,
      url: request.url,
      status: answer.status,
      keyId: request.caller?.keyId,
    },
    'request',
  );
}

function contentHeaders({ status, body, stream, contentType }: Answer): string[] {
  if (status === 304) return [];
  // Some clients read the content type and must not see JSON (contract rule 4).
  if (status === 204) return ['Content-Type', 'text/html; charset=UTF-8'];
  const type = ['Content-Type', contentType ?? 'application/json'];
  return stream === undefined ? [...type, 'Content-Length', String(Buffer.byteLength(body))] : type;
}

function sendBody(request: FastifyRequest, reply: FastifyReply, answer: Answer, log: Log): void {
  const { body, stream: pieces } = answer;
  const stream = findHttp2Stream(reply.raw);
  if (pieces === undefined) {
    if (stream === undefined) reply.raw.end(body);
    else sendHttp2Body(stream, body);
    return;
  }
  const sink = stream === undefined ? createHttp1Sink(reply.raw) : createHttp2Sink(stream);
  const isHead = request.method === 'HEAD';
  if (isHead) sink.end();
  const sent = isHead ? endStream(pieces) : sendStream(sink, pieces);
  sent.catch((error: unknown) => log.warn({ requestId: request.id, err: error }, 'answer was cut off'));
}

/** Closes the connection, or the stream of HTTP/2, which tells the client that the outcome is unknown. */
export function sendNoAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const stream = findHttp2Stream(reply.raw);
  if (stream === undefined) request.raw.socket.destroy();
  else cutOffHttp2(stream);
}

/** Returns name, value, name, value … */
export function commonHeaders(requestId: string, quota: Quota | null): string[] {
  if (quota === null) return ['X-Request-Id', requestId];
  const { policy, state } = quota;
  return ['X-Request-Id', requestId, 'RateLimit-Policy', policy, 'RateLimit', state];
}
