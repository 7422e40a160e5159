// Every route of the interface, in one table: the server binds its handlers to it, 405 and its Allow header, the
// OpenAPI document and typed clients come of it.
import { accountEndpoints } from './account-endpoints.ts';
import { domainEndpoints } from './domain-endpoints.ts';
import { zoneEndpoints } from './zone-endpoints.ts';

export const endpoints = [...domainEndpoints, ...zoneEndpoints, ...accountEndpoints] as const;

export type EndpointId = (typeof endpoints)[number]['id'];
