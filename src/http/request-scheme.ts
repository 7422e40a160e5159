// Finds out whether a client has used TLS:
//
//   trusted proxy that says the scheme ─▶ TLS here ─▶ PROXY protocol ─▶ behind a proxy: the public URL ─▶ plain HTTP
//
// Never believes a request that came past the proxies: anyone can send headers and whole URLs.
import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from './client-address.ts';

export type Scheme = 'http' | 'https';

/**
 * Returns the scheme by which the client sent a request.
 *
 * @param publicUrl the origin under which browsers reach the service. Its scheme stands in for what a proxy does not say; a
 *   request that comes from elsewhere has the scheme of its connection
 */
export function schemeOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  addresses: ClientAddresses,
  publicUrl: string | undefined,
): Scheme {
  const peer = addresses.peerOf(socket);
  const told = peer.isBehindProxy ? addresses.findScheme(headers) : undefined;
  if (peer.isProxy && told !== undefined) return schemeNamed(told);
  if (isEncrypted(socket)) return 'https';
  if (peer.usesTls !== undefined) return peer.usesTls ? 'https' : 'http';
  if (!peer.isBehindProxy || publicUrl?.startsWith('https:') !== true) return 'http';
  // A proxy on this machine that is not listed is believed as far as it makes the request less secure.
  return schemeNamed(told ?? 'https');
}

export function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as { readonly encrypted?: boolean }).encrypted === true;
}

function schemeNamed(told: string): Scheme {
  return told === 'https' ? 'https' : 'http';
}
