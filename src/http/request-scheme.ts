import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from './client-address.ts';

export type Scheme = 'http' | 'https';

/**
 * Returns the scheme by which the client sent a request. Behind the operator's proxies, it is what the proxy says: in
 * Forwarded or X-Forwarded-Proto, or in the header of the PROXY protocol. What other clients send there is ignored, and so
 * is the scheme in a request itself, which anyone can choose.
 */
export function schemeOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  addresses: ClientAddresses,
): Scheme {
  const peer = addresses.peerOf(socket);
  const told = peer.isProxy ? addresses.findScheme(headers) : undefined;
  if (told !== undefined) return told === 'https' ? 'https' : 'http';
  const { encrypted } = socket as { readonly encrypted?: boolean };
  return encrypted === true || peer.usesTls === true ? 'https' : 'http';
}
