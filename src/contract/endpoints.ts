// Every route of the interface, in one table: the server binds its handlers to it, 405 and its Allow header, the
// OpenAPI document and typed clients come of it.
import type { KeyScope } from '../model/account.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { domainEndpoints } from './domain-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { zoneEndpoints } from './zone-endpoints.ts';

export const endpoints = [...domainEndpoints, ...zoneEndpoints, ...accountEndpoints] as const;

/** The least scope of a key that may use it. */
export function scopeOf({ method, group }: Pick<Endpoint, 'method' | 'group'>): KeyScope {
  if (group === 'Accounts and keys') return 'admin';
  return method === 'GET' ? 'read' : 'full';
}

export type EndpointId = (typeof endpoints)[number]['id'];
