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
 */
export async function serveOverHttp(folder: string, zones: readonly TestZone[]): Promise<OwnSide> {
  mkdirSync(folder);
  const service = await startService(checkout, folder, { ZONEWRIGHT_RRL: '0' });
  const asker = new DnsAsker('127.0.0.1', service.dnsPort);
  const ask = (query: Query): Promise<Buffer | undefined> => asker.ask(encodeQuery(query), query.tcp);
  const stop = async (): Promise<void> => {
    asker.close();
    await service.stop();
  };
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  try {
    const served: TestZone[] = [];
    for (const zone of zones) {
      await upload(api, zone);
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

async function upload(api: Api, zone: TestZone): Promise<void> {
  const domain = zone.apex.slice(0, -1);
  await api.mustSend('POST', '/v2/domains', { domain });
  const made = await api.mustSend('GET', `/v2/domains/${domain}/records`);
  for (const { owner, type, ttl, data } of zone.records.slice(1))
    await api.mustSend('POST', `/v2/domains/${domain}/records`, { name: owner, type, ttl, data });
  // The apex NS records created by the service are deleted last: a domain is never without NS records.
  for (const { id } of made.body.records ?? [])
    await api.mustSend('DELETE', `/v2/domains/${domain}/records/${id}`);
}

async function readSoa(ask: OwnSide['ask'], { apex }: TestZone): Promise<TestRecord> {
  const reply = await ask({ name: apex, type: 'SOA', tcp: false, ednsBytes: undefined });
  if (reply === undefined) throw new Error(`the service gives no SOA record for ${apex}`);
  const { owner, ttl, text } = decodeMessage(reply).answer[0];
  return { owner, ttl, type: 'SOA', data: text };
}
