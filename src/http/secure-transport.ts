// Leads browsers to HTTPS: answers over TLS tell them to stay there (HSTS, RFC 6797), and requests over plain HTTP are
// redirected. Never redirects programs, which is everything under `/v2`, `/metrics` and the paths for supervisors: many do not
// follow, and have sent their key in clear by then (contract rule 1).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { INTERFACE_PATH } from '../contract/open-api.ts';
import type { Admission } from './admission.ts';
import { answerError, type Answer } from './answer.ts';
import type { ClientAddresses } from './client-address.ts';
import { findHttp2Stream } from './http2-stream.ts';
import { METRICS_PATH } from './metrics-route.ts';
import { pathOf } from './misroute-answer.ts';
import { isEncrypted, schemeOf } from './request-scheme.ts';
import { HEALTH_PATH, READINESS_PATH } from './service-paths.ts';

/**
 * Half a year: browsers that come twice a year never use plain HTTP again, and an operator who gives up TLS has not lost them
 * for longer. The names below this one are not included: this service knows nothing of them.
 */
const HSTS_SECONDS = 15_552_000;

/** Name and value of the header. */
export const hstsHeader = ['Strict-Transport-Security', `max-age=${HSTS_SECONDS}`] as const;

/** Prepares the answer to a request; returns it if the request is not to be handled. */
export type SecureTransport = (request: FastifyRequest, reply: FastifyReply) => Answer | undefined;

interface TransportOptions {
  readonly addresses: ClientAddresses;
  readonly countPeer: Admission['countPeer'];
  readonly maxHeaderBytes: number;
  /** The port of HTTPS. */
  readonly port: () => number;
  /** The origin under which browsers reach the service; undefined: the host that they ask for, at that port. */
  readonly publicUrl: string | undefined;
}

export function createSecureTransport(options: TransportOptions): SecureTransport {
  const { addresses, countPeer, maxHeaderBytes, publicUrl } = options;
  return (request, { raw: response }) => {
    const { raw } = request;
    if (isEncrypted(raw.socket)) response.setHeader(...hstsHeader);
    if (findHttp2Stream(raw) !== undefined && headerBytes(raw) > maxHeaderBytes) {
      request.quota = countPeer(raw.socket);
      return answerError({
        code: 'headers_too_large',
        message: 'The request line and headers are too large',
      });
    }
    const { url = '' } = raw;
    if (url === '*' || isForPrograms(url) || schemeOf(raw, addresses, publicUrl) === 'https')
      return undefined;
    return answerRedirect(raw, options);
  };
}

/** As Node counts them for HTTP/1.1, about: names, values and two octets between them. */
function headerBytes({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
}

const servicePaths: ReadonlySet<string> = new Set([HEALTH_PATH, READINESS_PATH, METRICS_PATH]);

/** Never redirected, and never a page. */
export function isForPrograms(url: string): boolean {
  const path = decode(pathOf(url));
  return servicePaths.has(path) || path === INTERFACE_PATH || path.startsWith(`${INTERFACE_PATH}/`);
}

/** The router decodes paths as well. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A host name or an address, with or without a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

const DEFAULT_PORT = 443;

function answerRedirect({ url = '', headers }: IncomingMessage, options: TransportOptions): Answer {
  const origin = findOrigin(headers.host, options);
  if (origin === undefined)
    return answerError({ code: 'invalid_request', message: 'The Host header is missing or malformed' });
  const location = origin + url.replace(/^https?:\/\/[^/?#]*/i, '');
  return {
    status: 308,
    body: `Use ${location}\n`,
    contentType: 'text/plain; charset=utf-8',
    // Browsers would keep it even after TLS was given up.
    headers: ['Location', location, 'Cache-Control', 'no-store'],
  };
}

function findOrigin(
  host: string | undefined,
  { port, publicUrl }: Pick<TransportOptions, 'port' | 'publicUrl'>,
): string | undefined {
  if (publicUrl?.startsWith('https:') === true) return publicUrl;
  const name = HOST.exec(host ?? '')?.[1];
  if (name === undefined) return undefined;
  return port() === DEFAULT_PORT ? `https://${name}` : `https://${name}:${port()}`;
}
