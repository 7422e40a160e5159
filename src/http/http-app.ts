// The HTTP application, without a socket:
//
//   request ─▶ route ─▶ key ─▶ rate limit ─▶ body's bytes ─▶ handler: JSON ─▶ operation ─▶ answer
//                └─▶ no such route: the same first steps, then 404 or 405
//
// Never decides what a customer may do: that is the operations' and the model's.
import './request-state.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { registerApi } from './api-routes.ts';
import { createClientErrorHandler, takeOddRequests } from './client-errors.ts';
import { registerDocsPage } from './docs-page.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { maxBodyBytes, type HttpLimits } from './limits.ts';
import { answerFailure } from './failure-answer.ts';
import { createRequestIdSource, findRequestId } from './request-id.ts';
import { sendAnswer } from './send-answer.ts';
import { registerServiceRoutes } from './service-routes.ts';

/** Ready for `inject`, or for a server to listen. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { admission, log, limits } = options;
  const newRequestId = createRequestIdSource();
  const handleClientError = createClientErrorHandler(admission);
  const app = fastify({
    genReqId: (message) => findRequestId(message) ?? newRequestId(),
    ...serverOptions(limits),
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) =>
      refuseUnroutable(error, request as FastifyRequest, reply as FastifyReply),
  });

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    sendAnswer(request, reply, answerFailure(error, request, log), log);
  }

  /** A URL that cannot be decoded: to nobody without a key. */
  function refuseUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // Fastify hands over a bare request here, without what was decorated.
    request.caller = null;
    request.quota = null;
    admission.admit(request.raw).then(
      ({ quota, refusal }) => {
        request.quota = quota;
        if (refusal === undefined) refuse(error, request, reply);
        else sendAnswer(request, reply, refusal, log);
      },
      (reason: unknown) => refuse(reason, request, reply),
    );
  }

  takeOddRequests(app.server, handleClientError);
  app.decorateRequest('caller', null);
  app.decorateRequest('quota', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(undefined, request, reply));

  registerServiceRoutes(app, options);
  registerDocsPage(app);
  registerApi(app, options);
  return app;
}

function serverOptions(limits: HttpLimits) {
  return {
    bodyLimit: maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.socketIdleTimeoutMs,
    // What is under way when the service stops is answered, not turned away.
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.maxHeaderBytes,
      // Node's own answer to a missing Host has no body; ours has.
      requireHostHeader: false,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // No parameter can be longer than the request line.
      maxParamLength: limits.maxHeaderBytes,
    },
  };
}
