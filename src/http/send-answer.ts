// Writes answers: routes', errors' and the gate's. Goes past fastify's reply, which would add a charset to the content
// type of JSON (contract rule 3) and examine again what is a ready string.
import './request-state.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import type { Answer } from './answer.ts';
import { discardBody, hasBodyToCome } from './discard-body.ts';
import type { Quota } from './rate-limiter.ts';

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer, log: Log): void {
  if (reply.sent) return;
  reply.hijack();
  const headers = commonHeaders(request.id, request.quota);
  if (answer.headers !== undefined) headers.push(...answer.headers);
  if (answer.status === 204) {
    // Some clients read the content type and must not see JSON (contract rule 4).
    headers.push('Content-Type', 'text/html; charset=UTF-8');
  } else {
    headers.push('Content-Type', answer.contentType ?? 'application/json');
    headers.push('Content-Length', String(Buffer.byteLength(answer.body)));
  }
  if (hasBodyToCome(request.raw)) discardBody(request.raw);
  reply.raw.writeHead(answer.status, headers);
  reply.raw.end(answer.body);
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

/** Closes the connection: the client learns that it has to find out, or to repeat. */
export function sendNoAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.destroy();
}

/** Name, value, name, value … */
export function commonHeaders(requestId: string, quota: Quota | null): string[] {
  if (quota === null) return ['X-Request-Id', requestId];
  const { policy, state } = quota;
  return ['X-Request-Id', requestId, 'RateLimit-Policy', policy, 'RateLimit', state];
}
