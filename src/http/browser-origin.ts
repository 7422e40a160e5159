// Which pages may send requests with a session, and where users may sign in. CORS is about keys: it never covers cookies.
import type { IncomingMessage } from 'node:http';
import { answerError, type Answer } from './answer.ts';
import { isForwarded } from './forwarded-headers.ts';
import type { Scheme } from './request-scheme.ts';

type Message = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * Refuses requests of pages of other origins, and writes with a session that do not say where they come from: every browser
 * of today does (Fetch standard, `Sec-Fetch-Site` and `Origin`).
 *
 * @param hasSession the request is authenticated by a cookie
 * @param publicUrl the origin under which browsers reach the service, if it is set
 */
export function findCrossSiteAnswer(
  { method, headers }: Message,
  hasSession: boolean,
  publicUrl: string | undefined,
): Answer | undefined {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isReading = method === 'GET' || method === 'HEAD';
  const isOwn =
    site === undefined
      ? origin === undefined
        ? isReading || !hasSession
        : isOwnOrigin(origin, headers.host, publicUrl)
      : site === 'same-origin' || (site === 'none' && (isReading || !hasSession));
  return isOwn ? undefined : crossSite;
}

const crossSite = answerError({
  code: 'cross_site',
  message: 'A page of another origin sent this request, or it does not say which page did',
});

/** With a public URL, pages under it and those on the loopback interface are our own. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  if (origin === publicUrl) return true;
  if (publicUrl !== undefined && !isLoopback(host)) return false;
  return new URL(origin).host === host.toLowerCase();
}

/**
 * Returns the origin for links that are shown to the client: the public URL, or where the client itself reached the service.
 */
export function ownOrigin(
  {
    protocol,
    headers: { host },
  }: { readonly protocol: string; readonly headers: { host?: string | undefined } },
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const own = `${protocol}://${host ?? ''}`;
  return URL.canParse(own) ? new URL(own).origin : 'http://localhost';
}

/** The kind of cookie that a session has there; undefined: nobody can sign in. */
export function cookieKind(
  { headers }: Pick<Message, 'headers'>,
  scheme: Scheme,
): 'secure' | 'plain' | undefined {
  if (scheme === 'https') return 'secure';
  // Many proxies ask for a local name themselves, whatever the browser has asked for.
  return isLoopback(headers.host ?? '') && !isForwarded(headers) ? 'plain' : undefined;
}

/** Refuses to take a password that may have crossed a network unencrypted. */
export function findInsecureAnswer(
  { headers }: Pick<Message, 'headers'>,
  scheme: Scheme,
): Answer | undefined {
  return cookieKind({ headers }, scheme) === undefined ? insecureLogin : undefined;
}

const insecureLogin = answerError({
  code: 'insecure_login',
  message:
    'Users sign in over HTTPS only; set up TLS or, behind a proxy that has it, ZONEWRIGHT_PUBLIC_URL and, ' +
    'for a proxy on another machine, ZONEWRIGHT_TRUSTED_PROXIES',
});

/** @param host the Host header. A page whose name was made to lead here has another one. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
}
