// Watches requests from their headers to the end of their answer, for metrics. Sees no body and changes nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestObserver } from '../base/request-observer.ts';
import { endpoints } from '../contract/endpoints.ts';
import { openApiPath } from '../contract/open-api.ts';
import { metricsPath } from './metrics-route.ts';
import { healthPath, readinessPath } from './service-paths.ts';

/** To be called before routes are registered. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRequest', (request, reply, next) => {
    observeRequest(observer, request, reply);
    next();
  });
}

/** For requests that never get to the hooks. */
export function observeRequest(
  observer: RequestObserver,
  request: FastifyRequest,
  { raw: response }: FastifyReply,
): void {
  const startMs = performance.now();
  observer.requestBegan();
  response.once('close', () => {
    observer.requestEnded({
      route: routeName(request),
      method: request.method,
      status: response.headersSent ? response.statusCode : null,
      durationMs: performance.now() - startMs,
    });
  });
}

/** `unknown`: there is no such route; `docs`: the reference page with its parts. */
function routeName(request: FastifyRequest): string {
  const { method, url } = request.routeOptions;
  if (request.is404 || url === undefined) return 'unknown';
  const name =
    request.method === 'HEAD' ? routeNames.get(`GET ${url}`) : routeNames.get(`${String(method)} ${url}`);
  return name ?? 'docs';
}

const routeNames = new Map<string, string>([
  ...endpoints.map(
    ({ method, path, id }) => [`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, id] as const,
  ),
  [`GET ${healthPath}`, 'health'],
  [`GET ${readinessPath}`, 'readiness'],
  [`GET ${metricsPath}`, 'metrics'],
  [`GET ${openApiPath}`, 'openApi'],
]);
