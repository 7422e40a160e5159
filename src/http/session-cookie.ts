// The cookie of a session (RFC 6265bis). No script can read it, and browsers never send it from pages of other sites.
import type { IncomingMessage } from 'node:http';
import { SESSION_LIFETIME_SECONDS } from '../model/user.ts';

/** The prefix makes browsers refuse the cookie unless it is for this host alone, and secure. */
const SECURE_NAME = '__Host-zonewright';

/** For plain HTTP on the loopback interface, where a browser would drop a secure cookie. */
const PLAIN_NAME = 'zonewright';

/**
 * Returns the token in the cookie of one kind: a page of a neighbouring host can set the plain one for this host, too. A name
 * that occurs twice is nobody's.
 *
 * @param isSecure as for `sessionCookie`
 */
export function findSessionToken(
  message: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
): string | undefined {
  return findCookie(message, isSecure ? SECURE_NAME : PLAIN_NAME);
}

/** Returns the token of a request whose session was accepted. */
export function getSessionToken(message: Pick<IncomingMessage, 'headers'>): string | undefined {
  return findSessionToken(message, true) ?? findSessionToken(message, false);
}

export function findCookie(
  { headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0].slice(name.length + 1) : undefined;
}

/** Headers: name, value. */
export function sessionCookie(token: string, isSecure: boolean): readonly string[] {
  return setCookie(token, SESSION_LIFETIME_SECONDS, isSecure);
}

/** Headers that remove the cookie. */
export function endedCookie(isSecure: boolean): readonly string[] {
  return setCookie('', 0, isSecure);
}

function setCookie(value: string, seconds: number, isSecure: boolean): readonly string[] {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const secure = isSecure ? '; Secure' : '';
  return ['Set-Cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}
