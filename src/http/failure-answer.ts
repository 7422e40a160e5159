// Turns an error of fastify, Node or our code into an answer, without telling the client any internals.
import type { FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { findRefusal, isCommitInDoubt } from '../operations/find-refusal.ts';
import { answerError, type Answer } from './answer.ts';
import { answerMisroute } from './misroute-answer.ts';

/** An answer means that nothing was committed (contract rule 9). If that is unknown, returns `none`. */
export function answerFailure(error: unknown, request: FastifyRequest, log: Log): Answer | 'none' {
  if (isCommitInDoubt(error)) {
    const { method, url, id: requestId } = request;
    log.error(
      { requestId, method, url, err: error },
      'result of a write is unknown; closing the connection without an answer',
    );
    return 'none';
  }
  const refusal = findRefusal(error);
  if (refusal !== undefined) return answerError(refusal);
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_BAD_URL') return badRequest('The URL is not correctly percent-encoded');
  if (request.is404) return answerMisroute(request.method, request.url);
  switch (code) {
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return badRequest('The request body is shorter or longer than its Content-Length');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return answerError({ code: 'request_timeout', message: 'The request did not arrive in time' });
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const limit = request.routeOptions.bodyLimit;
      const message = `The request body is larger than ${limit} bytes`;
      return answerError({ code: 'body_too_large', message });
    }
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return badRequest('The request is malformed');
  }
  log.error({ requestId: request.id, err: error }, 'request failed');
  const message = `The service failed and nothing was changed (request ${request.id})`;
  return answerError({ code: 'internal_error', message });
}

function badRequest(message: string): Answer {
  return answerError({ code: 'invalid_request', message });
}
