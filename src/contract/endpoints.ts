// The table of all routes. The server's handlers, 405 answers with their Allow header, the OpenAPI document and the scope
// that each route needs are derived from it.
import { accessEndpoints } from './access-endpoints.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { accountLifeEndpoints } from './account-life-endpoints.ts';
import { claimEndpoints } from './claim-endpoints.ts';
import { domainEndpoints } from './domain-endpoints.ts';
import { factorEndpoints } from './factor-endpoints.ts';
import { historyEndpoints } from './history-endpoints.ts';
import { lookupEndpoints } from './lookup-endpoints.ts';
import { memberEndpoints } from './member-endpoints.ts';
import { oidcEndpoints } from './oidc-endpoints.ts';
import { recordEndpoints } from './record-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { trailEndpoints } from './trail-endpoints.ts';
import { zoneEndpoints } from './zone-endpoints.ts';
import { zoneKeyEndpoints } from './zone-key-endpoints.ts';

export const endpoints = [
  ...domainEndpoints,
  ...claimEndpoints,
  ...lookupEndpoints,
  ...zoneKeyEndpoints,
  ...recordEndpoints,
  ...zoneEndpoints,
  ...historyEndpoints,
  ...accountEndpoints,
  ...sessionEndpoints,
  ...memberEndpoints,
  ...oidcEndpoints,
  ...accessEndpoints,
  ...factorEndpoints,
  ...trailEndpoints,
  ...accountLifeEndpoints,
] as const;

export type EndpointId = (typeof endpoints)[number]['id'];

/** Endpoints that need no key and no session. */
export type OpenEndpointId = Extract<(typeof endpoints)[number], { readonly needs: 'anyone' }>['id'];
