// Pages of other origins: which of them a browser lets use the interface (the CORS protocol of the Fetch standard, contract
// rule 53). Protects nobody from clients that are no browsers: that is what keys are for.
import './request-state.ts';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpoints } from '../contract/endpoints.ts';
import { interfacePath } from '../contract/open-api.ts';
import type { Log } from '../base/log.ts';
import { zoneSerialHeader } from '../contract/zone-serial-header.ts';
import type { Answer } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** In the list of origins: every one. */
const ANY_ORIGIN = '*';

const allowOrigin = 'Access-Control-Allow-Origin';

/** What the answer to a request says to browsers: name, value, name, value … Undefined: its headers could not be read. */
export type CrossOriginHeaders = (request: IncomingMessage | undefined) => readonly string[];

/** Undefined where no origin is named. @param origins as browsers write them (`https://console.example.net`), or `*` */
export function createCrossOriginHeaders(origins: readonly string[]): CrossOriginHeaders | undefined {
  if (origins.length === 0) return undefined;
  const isOpen = origins.includes(ANY_ORIGIN);
  // Where it depends on who asks, caches must know.
  const forOthers = isOpen ? [] : ['Vary', 'Origin'];
  const toPage = (origin: string): string[] => {
    const allowed = [allowOrigin, isOpen ? ANY_ORIGIN : origin];
    return [...allowed, ...forOthers, 'Access-Control-Expose-Headers', exposedHeaders];
  };
  // Whose page asks is not known then: said is what is so for whoever it may be.
  const toUnread = isOpen || origins.length === 1 ? toPage(origins[0]) : forOthers;
  return (request) => {
    if (request === undefined) return toUnread;
    const { url = '', headers } = request;
    if (!isInterface(url)) return [];
    const { origin = '' } = headers;
    return isOpen || origins.includes(origin) ? toPage(origin) : forOthers;
  };
}

/** Says so in every answer, and answers what browsers ask ahead of a request. */
export function allowOrigins(app: FastifyInstance, headersOf: CrossOriginHeaders, log: Log): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.crossOrigin = headersOf(request.raw);
    const answer = findPreflightAnswer(request);
    if (answer === undefined) next();
    else sendAnswer(request, reply, answer, log);
  });
}

/**
 * The answer to what browsers ask ahead of a request with a key; undefined where it is none of that, or of nobody who may.
 * They ask without a key, so it says nothing of what there is. It is not counted either: a page that deletes a thousand
 * records asks a thousand times, once for each address.
 */
export function findPreflightAnswer({ method, raw, crossOrigin }: FastifyRequest): Answer | undefined {
  const isPreflight = method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined;
  if (!isPreflight || crossOrigin?.includes(allowOrigin) !== true) return undefined;
  return { status: 204, body: '', headers: preflightHeaders };
}

function isInterface(url: string): boolean {
  return url.startsWith(`${interfacePath}/`) || url === interfacePath;
}

/** What the answers of the interface say in headers, and scripts may not see otherwise. */
const exposedHeaders = [
  'ETag',
  zoneSerialHeader,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Allow',
  'Content-Disposition',
].join(', ');

/** What the interface looks at, and scripts may not send otherwise. */
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

/** Two hours is as long as Chromium remembers an answer; others remember longer. */
const PREFLIGHT_SECONDS = 7_200;

const preflightHeaders = [
  ...['Access-Control-Allow-Methods', methods.join(', ')],
  ...['Access-Control-Allow-Headers', requestHeaders.join(', ')],
  ...['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
];
