// Our side as its users run it: zones written record by record over HTTP, queries over UDP and TCP.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi, type Api } from '../interop/api.ts';
import { startService } from '../interop/service.ts';
import { DnsAsker } from './dns-asker.ts';
import { decodeMessage, encodeQuery, type Query } from './message.ts';
import type { OwnSide } from './comparison.ts';
import { formatRecord, type TestRecord, type TestZone } from './test-zone.ts';

const checkout = join(import.meta.dirname, '../..');

/**
 * Starts the built service in `folder` and creates the domains and their records. The service creates the SOA records.
 * A signed zone is either written one record at a time, or imported, or switched on after that.
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
      await (zone.denial === undefined
        ? upload(api, zone)
        : signedUploads[i % signedUploads.length](api, zone));
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

type Upload = (api: Api, zone: TestZone) => Promise<void>;

const upload: Upload = (api, zone) => writeZone(api, zone, {}, writeEach);

const signedUploads: readonly Upload[] = [
  (api, zone) => writeZone(api, zone, { dns_sec: 'enabled' }, writeEach),
  (api, zone) => writeZone(api, zone, { dns_sec: 'enabled' }, importAll),
  async (api, zone) => {
    await writeZone(api, zone, {}, importAll);
    await api.mustSend('PUT', `/v2/domains/${zone.apex.slice(0, -1)}`, { dns_sec: 'enabled' });
  },
];

type WriteRecords = (api: Api, domain: string, records: readonly TestRecord[]) => Promise<void>;

async function writeZone(api: Api, zone: TestZone, settings: object, write: WriteRecords): Promise<void> {
  const domain = zone.apex.slice(0, -1);
  await api.mustSend('POST', '/v2/domains', { domain, ...settings });
  const made = await api.mustSend('GET', `/v2/domains/${domain}/records`);
  await write(api, domain, zone.records.slice(1));
  // The apex NS records created by the service are deleted last: a domain is never without NS records.
  for (const { id } of made.body.records ?? [])
    await api.mustSend('DELETE', `/v2/domains/${domain}/records/${id}`);
}

const writeEach: WriteRecords = async (api, domain, records) => {
  for (const { owner, type, ttl, data } of records)
    await api.mustSend('POST', `/v2/domains/${domain}/records`, { name: owner, type, ttl, data });
};

const importAll: WriteRecords = async (api, domain, records) => {
  // An import sets other nameservers of the zone itself aside.
  const ofApex = records.filter(({ owner, type }) => owner === `${domain}.` && type === 'NS');
  await writeEach(api, domain, ofApex);
  const others = records.filter((record) => !ofApex.includes(record)).map(formatRecord);
  await api.mustSend('POST', `/v2/domains/${domain}/zonefile`, others.join(''));
};

async function readSoa(ask: OwnSide['ask'], { apex }: TestZone): Promise<TestRecord> {
  const reply = await ask({ name: apex, type: 'SOA', tcp: false, ednsBytes: undefined });
  if (reply === undefined) throw new Error(`the service gives no SOA record for ${apex}`);
  const { owner, ttl, text } = decodeMessage(reply).answer[0];
  return { owner, ttl, type: 'SOA', data: text };
}
