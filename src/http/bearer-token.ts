import type { IncomingMessage } from 'node:http';

/** Returns the API key in the Authorization header (RFC 6750 section 2.1). The scheme's case is ignored (RFC 9110 section 11.1). */
export function findBearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers.authorization;
  if (header === undefined || header.charCodeAt(6) !== 0x20) return undefined;
  return header.slice(0, 6).toLowerCase() === 'bearer' ? header.slice(7).trim() : undefined;
}
