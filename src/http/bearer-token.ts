import type { IncomingMessage } from 'node:http';

/** The API key's text as the request brings it. RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1). */
export function findBearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers.authorization;
  if (header === undefined || header.charCodeAt(6) !== 0x20) return undefined;
  return header.slice(0, 6).toLowerCase() === 'bearer' ? header.slice(7).trim() : undefined;
}
