import { normalDomain } from '../names/zone-names.ts';
import { type CopySource, type LoadedZone, type SourceZone } from './copy-source.ts';
import { fetchPages, type ProviderAccess } from './fetch-json.ts';
import type { JsonExport } from './json-files.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import { buildZone, quote, type ProviderRecord } from './provider-zone.ts';

/**
 * DigitalOcean's records: `{"domain_records": [{"type","name","data","priority","port","weight","flags","tag","ttl"}
 * …]}` as returned by its API (GET /v2/domains/{domain}/records), or the list alone as `doctl … -o json` prints it.
 */
export const DIGITALOCEAN_URL = 'https://api.digitalocean.com/v2';

const ROWS_A_PAGE = 200;

/** DigitalOcean's default for records without a TTL. */
const DEFAULT_TTL_SECONDS = 1800;

export const digitaloceanExport: JsonExport = {
  provider: 'DigitalOcean',
  findDomain: () => undefined,
  findGap(json) {
    if (!isObject(json) || !Array.isArray(json['domain_records'])) return undefined;
    const { meta, domain_records: records } = json;
    const total = Number(isObject(meta) ? meta['total'] : NaN);
    const isPart = hasNextPage(json) || total > records.length;
    return isPart
      ? `it has ${records.length}${total > 0 ? ` of ${total}` : ''} records: export all with doctl, or copy from the API`
      : undefined;
  },
  readZone(domain, json) {
    const list = isObject(json) ? json['domain_records'] : json;
    return Array.isArray(list) ? readZone(domain, objectsOf(list)) : undefined;
  },
};

export function digitaloceanSource(
  access: ProviderAccess,
  wanted: readonly string[] | undefined,
): CopySource {
  return {
    description: `the DigitalOcean account at ${access.url}`,
    async list() {
      if (wanted !== undefined) return wanted.map((domain) => zoneOf(access, domain));
      const zones: SourceZone[] = [];
      for await (const { name } of listPages(access, '/domains', 'domains')) {
        const domain = textOf(name);
        if (domain !== undefined) zones.push(zoneOf(access, normalDomain(domain)));
      }
      return zones;
    },
  };
}

function zoneOf(access: ProviderAccess, domain: string): SourceZone {
  return {
    domain,
    async load() {
      const records: JsonObject[] = [];
      const path = `/domains/${encodeURIComponent(domain)}/records`;
      for await (const record of listPages(access, path, 'domain_records')) records.push(record);
      return readZone(domain, records);
    },
  };
}

function listPages(access: ProviderAccess, path: string, member: string): AsyncGenerator<JsonObject> {
  return fetchPages(access, path, member, ROWS_A_PAGE, ({ answer }) => !hasNextPage(answer));
}

function hasNextPage({ links }: JsonObject): boolean {
  const pages = isObject(links) ? links['pages'] : undefined;
  return isObject(pages) && typeof pages['next'] === 'string' && pages['next'] !== '';
}

function readZone(domain: string, records: readonly JsonObject[]): LoadedZone {
  // The API shows only the TTL of the SOA record.
  const shown = records.filter(({ type }) => type !== 'SOA');
  return buildZone(
    domain,
    shown.map((record) => readRecord(domain, record)),
  );
}

function readRecord(domain: string, record: JsonObject): ProviderRecord {
  const type = textOf(record['type']) ?? '';
  return {
    name: textOf(record['name']) ?? '',
    type,
    ttl: Number(record['ttl'] ?? DEFAULT_TTL_SECONDS),
    data: readData(domain, type, record),
  };
}

function readData(domain: string, type: string, record: JsonObject): string {
  const data = textOf(record['data']) ?? '';
  const number = (member: string): string => textOf(record[member]) ?? '0';
  // `@` is the domain itself; every other name is absolute, with or without a dot.
  const target = data === '@' ? domain : data;
  switch (type) {
    case 'CNAME':
    case 'NS':
      return target;
    case 'MX':
      return `${number('priority')} ${target}`;
    case 'SRV':
      return `${number('priority')} ${number('weight')} ${number('port')} ${target}`;
    case 'CAA': {
      const tag = textOf(record['tag']) ?? '';
      // Authority names are returned with a trailing dot, which RFC 8659 section 4.2 does not allow.
      const value = tag === 'iodef' ? data : data.replace(/\.$/, '');
      return `${number('flags')} ${tag} ${quote(value)}`;
    }
    default:
      return data;
  }
}
