// The zone that dig, kdig and the malformed packets query: one name for each case that an authoritative nameserver
// treats differently.

import type { Api } from './api.ts';

export const ZONE = 'answers.example';
/** Together much larger than a datagram. */
export const LARGE_RECORDS = 30;

/** Writes the zone through the API. */
export async function createAnswersZone(api: Api): Promise<void> {
  await api.mustSend('POST', '/v2/domains', { domain: ZONE });
  const create = (type: string, name: string, data: string, priority = 0) =>
    api.mustSend('POST', `/v2/domains/${ZONE}/records`, { type, name, data, ttl: 300, priority });
  for (const [type, name, data] of zoneRecords) await create(type, name, data);
  await create('MX', '', `mail.${ZONE}`, 10);
  for (let index = 0; index < LARGE_RECORDS; index += 1)
    await create('TXT', 'large', `${String(index).padStart(2, '0')} ${'x'.repeat(200)}`);
}

const zoneRecords: readonly (readonly [type: string, name: string, data: string])[] = [
  ['A', 'www', '192.0.2.1'],
  ['A', 'www', '192.0.2.2'],
  ['AAAA', 'www', '2001:db8::1'],
  ['A', 'mail', '192.0.2.25'],
  ['A', 'host.deep.empty', '192.0.2.4'],

  ['TXT', '*.wild', 'from the wildcard'],
  ['A', 'known.wild', '192.0.2.3'],
  ['CNAME', '*.wildalias', `www.${ZONE}`],

  ['CNAME', 'alias', `www.${ZONE}`],
  ['CNAME', 'chain', `alias.${ZONE}`],
  ['CNAME', 'dangling', `nothing.${ZONE}`],
  ['CNAME', 'outside', 'www.elsewhere.test'],
  ['CNAME', 'loop-a', `loop-b.${ZONE}`],
  ['CNAME', 'loop-b', `loop-a.${ZONE}`],
  ['CNAME', 'into-sub', `host.sub.${ZONE}`],

  ['NS', 'sub', `ns1.sub.${ZONE}`],
  ['NS', 'sub', 'ns.elsewhere.test'],
  ['A', 'ns1.sub', '192.0.2.53'],
  ['AAAA', 'ns1.sub', '2001:db8::53'],
  ['A', 'hidden.sub', '192.0.2.54'],

  ['DNAME', 'old', `new.${ZONE}`],
  ['A', 'host.new', '192.0.2.5'],
];
