// Data that exists before the clients run: one domain with more records than any page, more domains than one page,
// and the zone for the DNS clients.

import { createAnswersZone } from './answers-zone.ts';
import type { Api } from './api.ts';

/** More than twice the largest page of 500. */
export const BULK_RECORDS = 1_234;
/** More than the usual page of 100. */
export const FILLER_DOMAINS = 130;
/** Under a suffix in the public suffix list, which lexicon splits names with. */
export const BULK_DOMAIN = 'zonewright-bulk.net';

/** Creates everything through the API, sixteen requests at a time. */
export async function createFixtures(api: Api): Promise<void> {
  await createAnswersZone(api);
  await api.mustSend('POST', '/v2/domains', { domain: BULK_DOMAIN });
  await inParallel(FILLER_DOMAINS, (index) =>
    api.mustSend('POST', '/v2/domains', { domain: `filler-${String(index).padStart(3, '0')}.example` }),
  );
  await inParallel(BULK_RECORDS, (index) =>
    api.mustSend('POST', `/v2/domains/${BULK_DOMAIN}/records`, {
      type: 'A',
      name: bulkName(index),
      data: `198.51.100.${index % 250}`,
      ttl: 300,
    }),
  );
}

/** The names in the bulk domain except the apex. */
export function bulkNames(): string[] {
  return Array.from({ length: BULK_RECORDS }, (_, index) => bulkName(index));
}

function bulkName(index: number): string {
  return `r${String(index).padStart(5, '0')}`;
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
