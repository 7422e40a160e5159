// Binds the endpoints of the contract to their handlers, behind the checks of key, rate limit and scope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { INTERFACE_PATH } from '../contract/open-api.ts';
import { endpoints, type EndpointId, type OpenEndpointId } from '../contract/endpoints.ts';
import { assert } from '../base/assert.ts';
import { accessRoutes } from './access-routes.ts';
import { accountLifeRoutes } from './account-life-routes.ts';
import { accountRoutes } from './account-routes.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { WorkShare } from '../operations/work-memory.ts';
import { answerError, answerMalformed, type Answer } from './answer.ts';
import { findInsecureAnswer } from './browser-origin.ts';
import { factorRoutes } from './factor-routes.ts';
import { zoneRoutes } from './zone-routes.ts';
import { claimRoutes } from './claim-routes.ts';
import { lookupRoutes } from './lookup-routes.ts';
import { withoutKnownBody } from './conditional-answer.ts';
import { domainRoutes } from './domain-routes.ts';
import { historyRoutes } from './history-routes.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { goneSignal } from './gone-signal.ts';
import { createBodyLimits } from './limits.ts';
import { findMisrouteAnswer } from './misroute-answer.ts';
import { memberRoutes } from './member-routes.ts';
import { oidcRoutes, openOidcRoutes } from './oidc-routes.ts';
import { senderOf } from './open-sender.ts';
import { noteRefused } from './note-refused.ts';
import { recordRoutes } from './record-routes.ts';
import { readRequestTerms } from './request-terms.ts';
import type { ApiRequest, OpenRouteHandler, RouteHandler } from './route-handler.ts';
import { createScopeGate } from './scope-gate.ts';
import { sendAnswer } from './send-answer.ts';
import { openRoutes, sessionRoutes } from './session-routes.ts';
import { beginStream } from './stream-body.ts';
import { trailRoutes } from './trail-routes.ts';
import { whenClosed } from './when-closed.ts';
import { zoneKeyRoutes } from './zone-key-routes.ts';
import { createZoneBodyGate } from './zone-body-gate.ts';

const handlers: Record<Exclude<EndpointId, OpenEndpointId>, RouteHandler> = {
  ...domainRoutes,
  ...claimRoutes,
  ...lookupRoutes,
  ...zoneKeyRoutes,
  ...recordRoutes,
  ...zoneRoutes,
  ...historyRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...memberRoutes,
  ...oidcRoutes,
  ...accessRoutes,
  ...factorRoutes,
  ...trailRoutes,
  ...accountLifeRoutes,
};

const openHandlers: Record<OpenEndpointId, OpenRouteHandler> = {
  ...openRoutes,
  ...openOidcRoutes,
};

/**
 * Everything under `/v2` needs a key or a session, even unknown routes. Only the routes for `anyone` do not, and the OpenAPI
 * document, which is registered elsewhere.
 */
export function registerApi(app: FastifyInstance, options: HttpAppOptions): void {
  const { context, log } = options;
  const zoneBodyGate = createZoneBodyGate(context, log);
  const bodyLimitOf = createBodyLimits(context.settings.recordRules.txtLimitBytes);
  app.register(
    (api, _options, done) => {
      api.addHook('onRequest', createGate(options));
      // With this handler, fastify runs the gate for unknown routes too. The gate answers them.
      api.setNotFoundHandler(() => assert(false, 'the gate answers unknown routes'));
      for (const endpoint of endpoints) {
        api.route({
          method: endpoint.method,
          url: endpoint.path.slice(INTERFACE_PATH.length).replaceAll(/\{(\w+)\}/g, ':$1'),
          bodyLimit: bodyLimitOf(endpoint),
          config: { isOpen: endpoint.needs === 'anyone' },
          onRequest: [
            createScopeGate(endpoint, options),
            ...(isLargeWork(endpoint) ? [zoneBodyGate(bodyLimitOf(endpoint))] : []),
          ],
          handler: async (request, reply) => {
            const answer = await (isOpenEndpoint(endpoint)
              ? answerOpenRequest(options, endpoint, request)
              : answerRequest(context, endpoint, request, reply));
            noteRefused(context, request, endpoint, answer);
            sendAnswer(request, reply, await beginStream(answer), log);
          },
        });
      }
      done();
    },
    { prefix: INTERFACE_PATH },
  );
}

/** Whether the body or the answer of an endpoint can be as large as a zone. */
function isLargeWork(endpoint: Endpoint & { readonly id: EndpointId }): boolean {
  return endpoint.carries !== undefined || endpoint.id === 'revertRecords';
}

type SomeEndpoint = (typeof endpoints)[number];

function isOpenEndpoint(
  endpoint: SomeEndpoint,
): endpoint is Extract<SomeEndpoint, { readonly needs: 'anyone' }> {
  return endpoint.needs === 'anyone';
}

function answerOpenRequest(
  { context, admission }: Pick<HttpAppOptions, 'context' | 'admission'>,
  endpoint: Endpoint & { readonly id: OpenEndpointId },
  request: FastifyRequest,
): Promise<Answer> {
  const asked = request as ApiRequest & FastifyRequest;
  const terms = readRequestTerms(asked, endpoint, request.clientAddress);
  if (!terms.ok) return Promise.resolve(answerMalformed(terms.problem));
  const scheme = admission.findScheme(request.raw);
  const insecure = findInsecureAnswer(request.raw, scheme);
  if (insecure !== undefined) return Promise.resolve(insecure);
  return openHandlers[endpoint.id](context, senderOf(request, scheme), asked);
}

async function answerRequest(
  context: OperationContext,
  endpoint: Endpoint & { readonly id: Exclude<EndpointId, OpenEndpointId> },
  request: FastifyRequest,
  { raw: response }: FastifyReply,
): Promise<Answer> {
  const { caller } = request;
  assert(caller !== null, 'the gate admits only callers');
  const asked = request as ApiRequest & FastifyRequest;
  const terms = readRequestTerms(asked, endpoint, request.clientAddress);
  if (!terms.ok) return answerMalformed(terms.problem);
  const getSignal = (): AbortSignal => goneSignal(response);
  const openShare = (): WorkShare => {
    const share = context.workMemory.open(caller.accountId);
    whenClosed(response, () => share.release());
    return share;
  };
  const { share } = request;
  // One spread, and last: V8 takes microseconds to merge several, or for properties that follow one.
  const requester =
    share === null
      ? { terms: terms.value, getSignal, openShare, ...caller }
      : { terms: terms.value, getSignal, share, ...caller };
  const answer = await handlers[endpoint.id](context, requester, asked, getSignal);
  if (endpoint.method === 'GET') return withoutKnownBody(answer, request.headers['if-none-match']);
  // A PUT whose content is not stored exactly as sent must not return a tag (RFC 9110 section 9.3.4).
  if (endpoint.method !== 'PUT' || terms.value.dryRun === true) return answer;
  return { ...answer, etag: undefined };
}

/** Returns the first hook of every request: checks key and rate limit, then whether the route exists. */
function createGate({ admission, log }: HttpAppOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { caller, address, quota, refusal } = await admission.admit(
      request.raw,
      request.routeOptions.config.isOpen,
    );
    request.caller = caller;
    request.clientAddress = address;
    request.quota = quota;
    const answer = refusal ?? findMisrouteAnswer(request) ?? findHostAnswer(request);
    if (answer !== undefined) sendAnswer(request, reply, answer, log);
    // A body is JSON whatever its content type (contract rule 2); fastify would refuse types that it cannot parse.
    else delete request.raw.headers['content-type'];
  };
}

/** An HTTP/1.1 request without Host must be refused (RFC 9112 section 3.2). */
function findHostAnswer({ raw }: FastifyRequest): Answer | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return undefined;
  return answerError({ code: 'invalid_request', message: 'The Host header is missing' });
}
