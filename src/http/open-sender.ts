import type { FastifyRequest } from 'fastify';
import { clientNetwork } from './client-network.ts';
import type { Scheme } from './request-scheme.ts';
import type { OpenSender } from './route-handler.ts';

/** The client of a route that needs no key and no session. */
export function senderOf(
  { caller, clientAddress: address, headers }: FastifyRequest,
  scheme: Scheme,
): OpenSender {
  return {
    caller,
    address,
    network: clientNetwork(address),
    agent: headers['user-agent'],
    isSecure: scheme === 'https',
  };
}
