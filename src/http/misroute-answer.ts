// Answers requests without a route: 405 if the path exists with other methods, otherwise 404.
import type { FastifyRequest } from 'fastify';
import { endpoints } from '../contract/endpoints.ts';
import { OPEN_API_PATH } from '../contract/open-api.ts';
import { answerError, type Answer } from './answer.ts';
import { METRICS_PATH } from './metrics-route.ts';
import { HEALTH_PATH, READINESS_PATH } from './service-paths.ts';

/** Returns undefined if the request has a route. */
export function findMisrouteAnswer(request: FastifyRequest): Answer | undefined {
  return request.is404 ? answerMisroute(request.method, request.url) : undefined;
}

export function answerMisroute(method: string, url: string): Answer {
  const path = pathOf(url);
  const allowed = allowedMethods(path);
  if (allowed.length === 0) return answerUnknownRoute(method, url);
  const list = allowed.join(', ');
  const message = `${method} is not allowed here; allowed: ${list}`;
  return answerError({ code: 'method_not_allowed', message }, ['Allow', list]);
}

export function answerUnknownRoute(method: string, url: string): Answer {
  return answerError({ code: 'unknown_route', message: `No route ${method} ${pathOf(url)}` });
}

/** Removes scheme, host, query and one trailing slash. */
export function pathOf(url: string): string {
  return url
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/(.)\/$/, '$1');
}

function allowedMethods(path: string): readonly string[] {
  const segments = path.split('/');
  const methods = routes
    .filter((route) => matches(route.segments, segments))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}

const routes = [
  ...endpoints.map(({ method, path }) => ({ method, segments: path.split('/') })),
  ...[HEALTH_PATH, READINESS_PATH, METRICS_PATH, OPEN_API_PATH].map((path) => ({
    method: 'GET',
    segments: path.split('/'),
  })),
];
