// What is said where no route is: 405 where another method would do, else 404.
import type { FastifyRequest } from 'fastify';
import { endpoints } from '../contract/endpoints.ts';
import { openApiPath } from '../contract/open-api.ts';
import { answerError, type Answer } from './answer.ts';
import { metricsPath } from './metrics-route.ts';
import { healthPath, readinessPath } from './service-paths.ts';

/** Undefined where a route was found. */
export function findMisrouteAnswer(request: FastifyRequest): Answer | undefined {
  return request.is404 ? answerMisroute(request.method, request.url) : undefined;
}

export function answerMisroute(method: string, url: string): Answer {
  const path = pathOf(url);
  const allowed = allowedMethods(path);
  if (allowed.length === 0) return answerUnknownRoute(method, url);
  const list = allowed.join(', ');
  const message = `${method} is not possible here, allowed: ${list}`;
  return answerError({ code: 'method_not_allowed', message }, ['Allow', list]);
}

export function answerUnknownRoute(method: string, url: string): Answer {
  return answerError({ code: 'unknown_route', message: `No route ${method} ${pathOf(url)}` });
}

/** Without scheme and host, query and one trailing slash. */
function pathOf(url: string): string {
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
  ...[healthPath, readinessPath, metricsPath, openApiPath].map((path) => ({
    method: 'GET',
    segments: path.split('/'),
  })),
];
