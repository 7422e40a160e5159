// Our side as its users run it: zones written record by record over HTTP, queries over UDP and TCP.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi, type Api } from '../interop/api.ts';
import { startService } from '../interop/service.ts';
import { DnsAsker } from './dns-asker.ts';
import { decodeMessage, encodeQuery, type Query } from './message.ts';
import type { OwnSide } from './comparison.ts';
import type { TestRecord, TestZone } from './test-zone.ts';

const checkout = join(import.meta.dirname, '../..');

/**
 * Starts the built service in `folder` and creates the domains and their records. The service creates the SOA records.
 * Signed zones are switched on one half before and one half after their records are written: change by change, and whole.
 */
export async function serveOverHttp(folder: string, zones: readonly TestZone[]): Promise<OwnSide> {
  mkdirSync(folder);
  const denial = zones.at(0)?.denial;
  const service = await startService(checkout, folder, {
    ZONEWRIGHT_RRL: '0',
    ...(denial !== undefined && { ZONEWRIGHT_DNSSEC_DENIAL: denial }),
  });
  const asker = new DnsAsker('127.0.0.1', service.dnsPort);
  const ask = (query: Query): Promise<Buffer | undefined> => asker.ask(encodeQuery(query), query.tcp);
  const stop = async (): Promise<void> => {
    asker.close();
    await service.stop();
  };
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  try {
    const served: TestZone[] = [];
    for (const [i, zone] of zones.entries()) {
      await upload(api, zone, zone.denial === undefined ? 'never' : i % 2 === 0 ? 'first' : 'last');
      served.push({ ...zone, records: [await readSoa(ask, zone), ...zone.records.slice(1)] });
    }
    const askRaw: OwnSide['askRaw'] = (packet, tcp) => asker.askOnce(packet, tcp);
    return { name: 'as a service', zones: served, ask, askRaw, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    api.close();
  }
}

/** @param sign when the zone is signed */
async function upload(api: Api, zone: TestZone, sign: 'never' | 'first' | 'last'): Promise<void> {
  const domain = zone.apex.slice(0, -1);
  await api.mustSend('POST', '/v2/domains', { domain, ...(sign === 'first' && { dns_sec: 'enabled' }) });
  const made = await api.mustSend('GET', `/v2/domains/${domain}/records`);
  for (const { owner, type, ttl, data } of zone.records.slice(1))
    await api.mustSend('POST', `/v2/domains/${domain}/records`, { name: owner, type, ttl, data });
  // The apex NS records created by the service are deleted last: a domain is never without NS records.
  for (const { id } of made.body.records ?? [])
    await api.mustSend('DELETE', `/v2/domains/${domain}/records/${id}`);
  if (sign === 'last') await api.mustSend('PUT', `/v2/domains/${domain}`, { dns_sec: 'enabled' });
}

async function readSoa(ask: OwnSide['ask'], { apex }: TestZone): Promise<TestRecord> {
  const reply = await ask({ name: apex, type: 'SOA', tcp: false, ednsBytes: undefined });
  if (reply === undefined) throw new Error(`the service gives no SOA record for ${apex}`);
  const { owner, ttl, text } = decodeMessage(reply).answer[0];
  return { owner, ttl, type: 'SOA', data: text };
}
