// The keys of a signed domain, and those that come from elsewhere.
import type { Endpoint } from './endpoint.ts';
import { announcedBody, zoneKeyBody, zoneKeyReply, zoneKeysReply } from './zone-key-shape.ts';

const KEYS = '/v2/domains/{domain}/dnssec/keys';

export const zoneKeyEndpoints = [
  {
    id: 'listZoneKeys',
    method: 'GET',
    path: KEYS,
    group: 'Domains',
    needs: 'domains:read',
    summary: 'List the DNSSEC keys of a domain, without their private parts',
    answers: { 200: zoneKeysReply },
    refusals: [404],
  },
  {
    id: 'addZoneKey',
    method: 'POST',
    path: KEYS,
    group: 'Domains',
    needs: 'domains:sign',
    summary:
      'Sign a domain with a key of its own that is brought along, or publish a key of another provider (200 if it is there)',
    body: zoneKeyBody,
    answers: { 201: zoneKeyReply, 200: zoneKeyReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'announceZoneKey',
    method: 'PATCH',
    path: `${KEYS}/{id}`,
    group: 'Domains',
    needs: 'domains:sign',
    summary:
      'Ask the parent zone for the DS record of a key through CDS and CDNSKEY, or no longer ask for it',
    body: announcedBody,
    answers: { 204: null },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'removeZoneKey',
    method: 'DELETE',
    path: `${KEYS}/{id}`,
    group: 'Domains',
    needs: 'domains:sign',
    summary: 'Remove a key of another provider, as long as the parent zone has no DS record of it',
    answers: { 204: null },
    refusals: [404, 409],
    tellsSerial: true,
  },
] as const satisfies readonly Endpoint[];
