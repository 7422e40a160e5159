// Reports requests to the metrics, from their headers to the end of their answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestObserver } from '../base/request-observer.ts';
import { endpoints } from '../contract/endpoints.ts';
import { OPEN_API_PATH } from '../contract/open-api.ts';
import { METRICS_PATH } from './metrics-route.ts';
import { HEALTH_PATH, READINESS_PATH } from './service-paths.ts';

/** Must be called before routes are registered. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRequest', (request, reply, next) => {
    observeRequest(observer, request, reply);
    next();
  });
}

/** For requests that do not reach the hooks. */
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
      errorCode: request.errorCode,
      durationMs: performance.now() - startMs,
    });
  });
}

/** Returns an endpoint id, `unknown` if the request has no route, or `docs` for the reference page and its files. */
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
  [`GET ${HEALTH_PATH}`, 'health'],
  [`GET ${READINESS_PATH}`, 'readiness'],
  [`GET ${METRICS_PATH}`, 'metrics'],
  [`GET ${OPEN_API_PATH}`, 'openApi'],
]);
