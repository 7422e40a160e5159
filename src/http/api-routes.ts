// Binds the contract's endpoints to their handlers, behind the admission.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { interfacePath } from '../contract/open-api.ts';
import { endpoints, type EndpointId } from '../contract/endpoints.ts';
import { assert } from '../base/assert.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import { accountRoutes } from './account-routes.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { answerError, answerMalformed, type Answer } from './answer.ts';
import { zoneRoutes } from './zone-routes.ts';
import { withoutKnownBody } from './conditional-answer.ts';
import { domainRoutes } from './domain-routes.ts';
import { historyRoutes } from './history-routes.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { createBodyLimits } from './limits.ts';
import { findMisrouteAnswer } from './misroute-answer.ts';
import { recordRoutes } from './record-routes.ts';
import { readRequestTerms } from './request-terms.ts';
import type { ApiRequest, RouteHandler } from './route-handler.ts';
import { createScopeGate } from './scope-gate.ts';
import { sendAnswer } from './send-answer.ts';
import { beginStream } from './stream-body.ts';
import { createZoneBodyGate } from './zone-body-gate.ts';

const handlers: Record<EndpointId, RouteHandler> = {
  ...domainRoutes,
  ...recordRoutes,
  ...zoneRoutes,
  ...historyRoutes,
  ...accountRoutes,
};

/** Everything below `/v2`, unknown routes included, needs a key. The document of the interface is registered elsewhere. */
export function registerApi(app: FastifyInstance, options: HttpAppOptions): void {
  const { context, log } = options;
  const zoneBodyGate = createZoneBodyGate(log);
  const bodyLimitOf = createBodyLimits(context.settings.recordRules.txtLimitBytes);
  app.register(
    (api, _options, done) => {
      api.addHook('onRequest', createGate(options));
      // The gate answers unknown routes; a handler makes fastify bring them to this gate.
      api.setNotFoundHandler(() => assert(false, 'the gate answers unknown routes'));
      for (const endpoint of endpoints) {
        api.route({
          method: endpoint.method,
          url: endpoint.path.slice(interfacePath.length).replaceAll(/\{(\w+)\}/g, ':$1'),
          bodyLimit: bodyLimitOf(endpoint),
          onRequest: [
            createScopeGate(endpoint, log),
            ...('carries' in endpoint && endpoint.carries === 'zone' ? [zoneBodyGate] : []),
          ],
          handler: async (request, reply) => {
            const answer = await answerRequest(context, endpoint, request, () => goneSignal(reply.raw));
            sendAnswer(request, reply, await beginStream(answer), log);
          },
        });
      }
      done();
    },
    { prefix: interfacePath },
  );
}

async function answerRequest(
  context: OperationContext,
  endpoint: Endpoint & { readonly id: EndpointId },
  request: FastifyRequest,
  getSignal: GetSignal,
): Promise<Answer> {
  assert(request.caller !== null, 'the gate lets in only callers');
  const asked = request as ApiRequest & FastifyRequest;
  const terms = readRequestTerms(asked, endpoint);
  if (!terms.ok) return answerMalformed(terms.problem);
  const requester = { ...request.caller, terms: terms.value };
  const answer = await handlers[endpoint.id](context, requester, asked, getSignal);
  if (endpoint.method === 'GET') return withoutKnownBody(answer, request.headers['if-none-match']);
  // What was put is not kept as it was sent, and such a PUT must not tell a tag (RFC 9110 section 9.3.4).
  if (endpoint.method !== 'PUT' || terms.value.dryRun === true) return answer;
  return { ...answer, etag: undefined };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** The hook before everything else: key, rate limit, then whether the route exists at all. A route's own gates follow. */
function createGate({ admission, log }: HttpAppOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { caller, quota, refusal } = await admission.admit(request.raw);
    request.caller = caller;
    request.quota = quota;
    const answer = refusal ?? findMisrouteAnswer(request) ?? findHostAnswer(request);
    if (answer !== undefined) sendAnswer(request, reply, answer, log);
    // A body is JSON whatever it says it is (contract rule 2), and fastify refuses types that it cannot read.
    else delete request.raw.headers['content-type'];
  };
}

/** A request of HTTP/1.1 without Host must be refused (RFC 9112 section 3.2). */
function findHostAnswer({ raw }: FastifyRequest): Answer | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return undefined;
  return answerError({ code: 'invalid_request', message: 'The Host header is missing' });
}
