import { ApiError } from '../../client/api-error.ts';
import { createClient, type ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { normalDomain } from '../names/zone-names.ts';
import { checkServiceUrl } from '../connection/connection.ts';
import { reachService } from '../connection/socket-fetch.ts';
import { type CopySource, type LoadedZone, type SourceZone } from './copy-source.ts';
import { buildZone, type ProviderRecord } from './provider-zone.ts';

/** Another service with the same HTTP interface: all domains of the key's account, or the named ones. */
export function serviceSource(url: string, key: string, domains: readonly string[] | undefined): CopySource {
  const client = createClient(reachService({ url: checkServiceUrl(url), key }));
  return {
    description: `the service at ${url}`,
    async list() {
      const zones: SourceZone[] = [];
      if (domains !== undefined) return domains.map((domain) => zoneOf(client, domain));
      for await (const { domain } of client.domains.list()) zones.push(zoneOf(client, normalDomain(domain)));
      return zones;
    },
  };
}

function zoneOf(client: ZonewrightClient, domain: string): SourceZone {
  return {
    domain,
    async load(): Promise<LoadedZone> {
      const records: ProviderRecord[] = [];
      for await (const record of client.records.list(domain)) records.push(readRecord(record));
      if (!records.some(isText)) return buildZone(domain, records);
      const text = await findZoneFile(client, domain);
      return text === undefined
        ? buildZone(domain, records.map(noteLostOctets))
        : { text, skipped: [], notes: [] };
    },
  };
}

/** JSON does not show how TXT data is divided into character-strings. */
function isText({ type }: ProviderRecord): boolean {
  return type === 'TXT';
}

/** Octets of TXT data that are not UTF-8 appear as U+FFFD in JSON. */
function hasLostOctets({ type, data }: ProviderRecord): boolean {
  return type === 'TXT' && data.includes('\u{fffd}');
}

function noteLostOctets(record: ProviderRecord): ProviderRecord {
  const note = 'the source shows some octets only as U+FFFD, and they are copied like this';
  return hasLostOctets(record) ? { ...record, note } : record;
}

/** A zone file can contain any octets. Returns undefined if the service cannot export zone files. */
async function findZoneFile(client: ZonewrightClient, domain: string): Promise<string | undefined> {
  try {
    return (await client.zoneFiles.get(domain)).text;
  } catch (error) {
    if (error instanceof ApiError && [404, 405].includes(error.status)) return undefined;
    throw error;
  }
}

/** MX and SRV records have their priority in a separate member (contract rule 23). */
function readRecord({ name, type, ttl, data, priority }: RecordJson): ProviderRecord {
  const isSplit =
    (type === 'MX' && !/\s/.test(data)) || (type === 'SRV' && data.trim().split(/\s+/).length === 3);
  return { name, type, ttl, data: isSplit ? `${Math.max(priority, 0)} ${data}` : data };
}
