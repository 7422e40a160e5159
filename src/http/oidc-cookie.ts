// The cookie of a log-in that goes on at a provider (RFC 6265bis). Its content is sealed.
import type { IncomingMessage } from 'node:http';
import { OPEN_ID_LOGIN_SECONDS } from '../operations/open-id-terms.ts';
import { findCookie } from './session-cookie.ts';

/** As for sessions: the first one is secure, the other one is for plain HTTP on the loopback interface. */
const SECURE_NAME = '__Host-zonewright-oidc';
const PLAIN_NAME = 'zonewright-oidc';

export function findLoginCookie(
  message: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
): string | undefined {
  return findCookie(message, isSecure ? SECURE_NAME : PLAIN_NAME);
}

/** Headers: name, value. Browsers send it when they are led back from the provider's page, which `Strict` would prevent. */
export function loginCookie(sealed: string, isSecure: boolean): readonly string[] {
  return setCookie(sealed, OPEN_ID_LOGIN_SECONDS, isSecure);
}

/** Headers that remove it. */
export function endedLoginCookie(isSecure: boolean): readonly string[] {
  return setCookie('', 0, isSecure);
}

function setCookie(value: string, seconds: number, isSecure: boolean): readonly string[] {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const secure = isSecure ? '; Secure' : '';
  return ['Set-Cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`];
}
