// The base of both HTTP applications: fastify with our limits, bodies as bytes, and errors in the contract's shape. Has no
// routes.
import './request-state.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import type { Admission } from './admission.ts';
import type { Answer } from './answer.ts';
import type { CrossOriginHeaders } from './cross-origin.ts';
import { createClientErrorHandler, takeOddRequests } from './client-errors.ts';
import { answerFailure } from './failure-answer.ts';
import { findBodyCut } from './http2-stream.ts';
import { MAX_BODY_BYTES, type HttpLimits } from './limits.ts';
import { createRequestIdSource, findRequestId } from './request-id.ts';
import type { RequestObserver } from '../base/request-observer.ts';
import { observeRequest, observeRequests } from './request-observer.ts';
import type { SecureTransport } from './secure-transport.ts';
import { sendAnswer, sendNoAnswer } from './send-answer.ts';

export interface BareAppOptions {
  readonly log: Log;
  readonly limits: HttpLimits;
  readonly requests?: RequestObserver | undefined;
  readonly countPeer: Admission['countPeer'];
  readonly onProxyHeader?: (() => void) | undefined;
  /** Absent without TLS. */
  readonly secureTransport?: SecureTransport | undefined;
  /** If absent, pages of other origins get no access. */
  readonly crossOriginHeaders?: CrossOriginHeaders | undefined;
  /** Called before a URL that cannot be decoded is reported to the client; its answer, if any, replaces the report. */
  readonly findEarlyAnswer?: (request: FastifyRequest) => Promise<Answer | undefined>;
}

export function createBareApp(options: BareAppOptions): FastifyInstance {
  const { log, limits, secureTransport } = options;
  const newRequestId = createRequestIdSource();
  const handleClientError = createClientErrorHandler(options);
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = answerFailure(error, request, log);
    if (answer === 'none') sendNoAnswer(request, reply);
    else sendAnswer(request, reply, answer, log);
  };
  const app = fastify({
    // Keeps fastify from loading its compilers of schemas: our routes have none, the handlers check bodies.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    genReqId: (message) => findRequestId(message) ?? newRequestId(),
    ...serverOptions(limits),
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) =>
      refuseUnroutable(error, request as FastifyRequest, reply as FastifyReply),
  });

  /** Answers a request whose URL cannot be decoded. */
  function refuseUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // Fastify passes a request without its decorations here.
    request.caller = null;
    request.quota = null;
    request.errorCode = null;
    request.crossOrigin = options.crossOriginHeaders?.(request.raw) ?? null;
    if (options.requests !== undefined) observeRequest(options.requests, request, reply);
    const transportAnswer = secureTransport?.(request, reply);
    if (transportAnswer !== undefined) return sendAnswer(request, reply, transportAnswer, log);
    const earlyAnswer = options.findEarlyAnswer?.(request) ?? Promise.resolve(undefined);
    earlyAnswer.then(
      (answer) => {
        if (answer === undefined) refuse(error, request, reply);
        else sendAnswer(request, reply, answer, log);
      },
      (reason: unknown) => refuse(reason, request, reply),
    );
  }

  takeOddRequests(app.server, handleClientError);
  app.decorateRequest('caller', null);
  app.decorateRequest('clientAddress', undefined);
  app.decorateRequest('quota', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('share', null);
  app.decorateRequest('crossOrigin', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) =>
    done(findBodyCut(request.raw), body),
  );
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(undefined, request, reply));
  if (options.requests !== undefined) observeRequests(app, options.requests);
  if (secureTransport !== undefined) applyTransport(app, secureTransport, log);
  return app;
}

function applyTransport(app: FastifyInstance, secureTransport: SecureTransport, log: Log): void {
  app.addHook('onRequest', (request, reply, next) => {
    const answer = secureTransport(request, reply);
    if (answer === undefined) next();
    else sendAnswer(request, reply, answer, log);
  });
}

function refuseSchema(): never {
  throw new Error('routes have no schemas: the contract describes bodies');
}

function serverOptions(limits: HttpLimits) {
  return {
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.socketIdleTimeoutMs,
    // When the service stops, requests in progress are still answered.
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.maxHeaderBytes,
      // Node would answer a missing Host without a body.
      requireHostHeader: false,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // A parameter cannot be longer than the request line.
      maxParamLength: limits.maxHeaderBytes,
    },
  };
}
