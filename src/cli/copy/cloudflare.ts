import {
  APEX_CNAME,
  AUTOMATIC_TTL,
  AUTOMATIC_TTL_SECONDS,
  findCloudflareNote,
} from '../zone-text/cloudflare-remarks.ts';
import { normalDomain } from '../names/zone-names.ts';
import { selectZones, type CopySource, type LoadedZone, type SourceZone } from './copy-source.ts';
import { fetchPages, type ProviderAccess } from './fetch-json.ts';
import type { JsonExport } from './json-files.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import { buildZone, quote, type SkippedEntry, type ProviderRecord } from './provider-zone.ts';
import { listNames } from '../names/list-names.ts';

/**
 * Cloudflare's records: `{"result": [{"type","name","content","data","ttl","proxied","priority"} …]}`, as returned by
 * its API (GET /zones/{id}/dns_records), or the list alone.
 */
export const CLOUDFLARE_URL = 'https://api.cloudflare.com/client/v4';

/** The API allows 50 zones per page, and thousands of records. */
const ZONES_A_PAGE = 50;
const RECORDS_A_PAGE = 1000;

const ALL_PAGES = 'export all records on one page, with per_page=5000, or copy from the API';

export const cloudflareExport: JsonExport = {
  provider: 'Cloudflare',
  findDomain: (json) =>
    textOf(recordsIn(json)?.find(({ zone_name: name }) => name !== undefined)?.['zone_name']),
  findGap(json) {
    const found = recordsIn(json)?.length ?? 0;
    const information = isObject(json) ? json['result_info'] : undefined;
    if (!isObject(information)) return undefined;
    const [total, pages] = [Number(information['total_count']), Number(information['total_pages'])];
    if (total > found) return `it has ${found} of ${total} records (total_count): ${ALL_PAGES}`;
    return pages > 1 ? `it is one page of ${pages} (total_pages): ${ALL_PAGES}` : undefined;
  },
  readZone(domain, json) {
    const records = recordsIn(json);
    return records && readZone(domain, records);
  },
};

export function cloudflareSource(access: ProviderAccess, wanted: readonly string[] | undefined): CopySource {
  const description = `the Cloudflare account at ${access.url}`;
  return {
    description,
    async list(say) {
      const zones: SourceZone[] = [];
      const internal: string[] = [];
      for await (const { id, name, type } of listPages(access, '/zones', ZONES_A_PAGE)) {
        const [zoneId, domain] = [textOf(id) ?? '', normalDomain(textOf(name) ?? '')];
        // Internal zones exist only inside private networks; a public zone can have the same name.
        if (type === 'internal') internal.push(domain);
        else zones.push(zoneOf(access, zoneId, domain));
      }
      if (internal.length > 0) say(`skipped internal zones of Cloudflare: ${listNames(internal)}`);
      return selectZones(zones, wanted, description);
    },
  };
}

function zoneOf(access: ProviderAccess, id: string, domain: string): SourceZone {
  return {
    domain,
    async load() {
      const records: JsonObject[] = [];
      const path = `/zones/${encodeURIComponent(id)}/dns_records`;
      for await (const record of listPages(access, path, RECORDS_A_PAGE)) records.push(record);
      return readZone(domain, records);
    },
  };
}

function listPages(access: ProviderAccess, path: string, pageSize: number): AsyncGenerator<JsonObject> {
  return fetchPages(access, path, 'result', pageSize, ({ items, answer }, page) => {
    const information = answer['result_info'];
    const total = Number(isObject(information) ? information['total_pages'] : NaN);
    // Without a page count, an empty page marks the end.
    return items.length === 0 || page >= total;
  });
}

function recordsIn(json: unknown): readonly JsonObject[] | undefined {
  const list = isObject(json) ? json['result'] : json;
  return Array.isArray(list) ? objectsOf(list) : undefined;
}

function readZone(domain: string, records: readonly JsonObject[]): LoadedZone {
  return buildZone(
    domain,
    records.map((record) => readRecord(domain, record)),
  );
}

function readRecord(domain: string, record: JsonObject): ProviderRecord | SkippedEntry {
  const [name, type] = [textOf(record['name']) ?? '', textOf(record['type'])?.toUpperCase() ?? ''];
  const ttl = Number(record['ttl'] ?? AUTOMATIC_TTL);
  const data = readData(type, record);
  if (type === 'CNAME' && normalDomain(name) === normalDomain(domain)) {
    return { skipped: { record: `${name} IN ${type} ${data}`, reason: APEX_CNAME } };
  }
  return {
    name,
    type,
    ttl: ttl === AUTOMATIC_TTL ? AUTOMATIC_TTL_SECONDS : ttl,
    data,
    // Quoted TXT content consists of character strings (RFC 1035); old records have the bare text.
    isPresentationFormat: /^".*"$/s.test(data.trim()),
    note: findCloudflareNote(type, data, record['proxied'] === true),
  };
}

/** The members of `data` in the order of zone files; `"…"` are written in quotes. */
const dataFields: Readonly<Partial<Record<string, readonly string[]>>> = {
  CAA: ['flags', 'tag', '"value"'],
  CERT: ['type', 'key_tag', 'algorithm', 'certificate'],
  DNSKEY: ['flags', 'protocol', 'algorithm', 'public_key'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  HTTPS: ['priority', 'target', 'value'],
  LOC: [
    'lat_degrees',
    'lat_minutes',
    'lat_seconds',
    'lat_direction',
    'long_degrees',
    'long_minutes',
    'long_seconds',
    'long_direction',
    'altitude',
    'size',
    'precision_horz',
    'precision_vert',
  ],
  NAPTR: ['order', 'preference', '"flags"', '"service"', '"regex"', 'replacement'],
  SMIMEA: ['usage', 'selector', 'matching_type', 'certificate'],
  SRV: ['priority', 'weight', 'port', 'target'],
  SSHFP: ['algorithm', 'type', 'fingerprint'],
  SVCB: ['priority', 'target', 'value'],
  TLSA: ['usage', 'selector', 'matching_type', 'certificate'],
  URI: ['priority', 'weight', '"target"'],
};

function readData(type: string, record: JsonObject): string {
  const content = textOf(record['content']) ?? '';
  const priority = textOf(record['priority']);
  const structured = readStructured(dataFields[type], record);
  if (structured !== undefined) return structured;
  if (type === 'MX' && priority !== undefined && !/\s/.test(content.trim())) return `${priority} ${content}`;
  // Old exports have the priority outside the content.
  if (type === 'SRV' && priority !== undefined && content.trim().split(/\s+/).length === 3) {
    return `${priority} ${content}`;
  }
  // The content of LOC records begins with class and type.
  return content.replace(/^IN LOC /i, '');
}

function readStructured(fields: readonly string[] | undefined, record: JsonObject): string | undefined {
  const data = record['data'];
  if (fields === undefined || !isObject(data)) return undefined;
  const words: string[] = [];
  for (const field of fields) {
    const name = field.replaceAll('"', '');
    const value = textOf(data[name] ?? record[name]);
    if (value === undefined) return undefined;
    words.push(name === field ? value : quote(value));
  }
  return words.join(' ');
}
