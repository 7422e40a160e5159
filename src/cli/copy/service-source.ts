import { createClient, type ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { normalDomain, type CopySource, type LoadedZone, type SourceZone } from './copy-source.ts';
import { buildZone, type ProviderRecord } from './provider-zone.ts';

/** Any service that speaks this same interface: all domains of the key's account, or those named. */
export function serviceSource(url: string, key: string, domains: readonly string[] | undefined): CopySource {
  const client = openClient(url, key);
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

function openClient(url: string, key: string): ZonewrightClient {
  try {
    return createClient({ url, key });
  } catch {
    throw new CommandFailure(
      exitCodes.usage,
      `${JSON.stringify(url)} is not a URL, for example service:https://dns.example.net`,
    );
  }
}

function zoneOf(client: ZonewrightClient, domain: string): SourceZone {
  return {
    domain,
    async load(): Promise<LoadedZone> {
      const records: ProviderRecord[] = [];
      for await (const record of client.records.list(domain)) records.push(readRecord(record));
      return buildZone(domain, records);
    },
  };
}

/** Contract rule 23: of MX and SRV the priority stands apart. */
function readRecord({ name, type, ttl, data, priority }: RecordJson): ProviderRecord {
  const isSplit =
    (type === 'MX' && !/\s/.test(data)) || (type === 'SRV' && data.trim().split(/\s+/).length === 3);
  return { name, type, ttl, data: isSplit ? `${Math.max(priority, 0)} ${data}` : data };
}
