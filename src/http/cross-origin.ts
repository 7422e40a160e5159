// Allows browser pages of configured origins to use the interface (the CORS protocol of the Fetch standard, contract rule
// 53). CORS only restricts browsers; access is controlled by API keys.
import './request-state.ts';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpoints } from '../contract/endpoints.ts';
import { INTERFACE_PATH } from '../contract/open-api.ts';
import type { Log } from '../base/log.ts';
import { ZONE_WARNINGS_HEADER } from '../contract/warnings-header.ts';
import { HISTORY_START_HEADER, ZONE_SERIAL_HEADER } from '../contract/zone-serial-header.ts';
import type { Answer } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** Allows every origin. */
const ANY_ORIGIN = '*';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Returns the CORS headers of an answer: name, value, name, value … The request is undefined if its headers were unreadable. */
export type CrossOriginHeaders = (request: IncomingMessage | undefined) => readonly string[];

/** Returns undefined if no origin is allowed. @param origins such as `https://console.example.net`, or `*` */
export function createCrossOriginHeaders(origins: readonly string[]): CrossOriginHeaders | undefined {
  if (origins.length === 0) return undefined;
  const isOpen = origins.includes(ANY_ORIGIN);
  // Caches must know that the answer depends on the origin.
  const forOthers = isOpen ? [] : ['Vary', 'Origin'];
  const toPage = (origin: string): string[] => {
    const allowed = [ALLOW_ORIGIN, isOpen ? ANY_ORIGIN : origin];
    return [...allowed, ...forOthers, 'Access-Control-Expose-Headers', exposedHeaders];
  };
  // The origin of an unreadable request is unknown, so the answer must be right for every origin.
  const toUnread = isOpen || origins.length === 1 ? toPage(origins[0]) : forOthers;
  return (request) => {
    if (request === undefined) return toUnread;
    const { url = '', headers } = request;
    if (!isInterface(url)) return [];
    const { origin = '' } = headers;
    return isOpen || origins.includes(origin) ? toPage(origin) : forOthers;
  };
}

/** Adds the headers to every answer, and answers preflight requests. */
export function allowOrigins(app: FastifyInstance, headersOf: CrossOriginHeaders, log: Log): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.crossOrigin = headersOf(request.raw);
    const answer = findPreflightAnswer(request);
    if (answer === undefined) next();
    else sendAnswer(request, reply, answer, log);
  });
}

/**
 * Returns the answer to a preflight request; undefined for other requests and for origins that are not allowed. Preflight
 * requests have no key, so the answer is the same for every path. They are not counted by rate limits: a page that deletes a
 * thousand records sends a thousand of them, one per URL.
 */
export function findPreflightAnswer({ method, raw, crossOrigin }: FastifyRequest): Answer | undefined {
  const isPreflight = method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined;
  if (!isPreflight || crossOrigin?.includes(ALLOW_ORIGIN) !== true) return undefined;
  return { status: 204, body: '', headers: preflightHeaders };
}

function isInterface(url: string): boolean {
  return url.startsWith(`${INTERFACE_PATH}/`) || url === INTERFACE_PATH;
}

/** Response headers of the interface that scripts cannot read by default. */
const exposedHeaders = [
  'ETag',
  ZONE_SERIAL_HEADER,
  ZONE_WARNINGS_HEADER,
  HISTORY_START_HEADER,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Allow',
  'Content-Disposition',
].join(', ');

/** Request headers of the interface that scripts cannot send by default. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Change-Note',
];

const usedMethods = new Set<string>(['HEAD', ...endpoints.map(({ method }) => method)]);
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => usedMethods.has(method));

/** Chromium caches preflight answers for at most two hours, other browsers for longer. */
const PREFLIGHT_SECONDS = 7_200;

const preflightHeaders = [
  ...['Access-Control-Allow-Methods', methods.join(', ')],
  ...['Access-Control-Allow-Headers', requestHeaders.join(', ')],
  ...['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
];
