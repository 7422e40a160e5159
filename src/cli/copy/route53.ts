import type { JsonExport } from './json-files.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import { buildZone, type SkippedEntry, type ProviderRecord } from './provider-zone.ts';
import type { LoadedZone } from './copy-source.ts';

/**
 * Route 53's record sets: `{"ResourceRecordSets": [{"Name","Type","TTL","ResourceRecords": [{"Value"}]} …]}`, as
 * printed by `aws route53 list-resource-record-sets` and read by route53-source.ts. Sets with Route 53's own rules
 * (aliases; weighted, by latency, location or health) have no counterpart in DNS and are skipped with a reason.
 */
export const route53Export: JsonExport = {
  provider: 'Route 53',
  findDomain: (json) => textOf(setsIn(json)?.find(({ Type: type }) => type === 'SOA')?.['Name']),
  findGap(json) {
    if (!isObject(json)) return undefined;
    const isTruncated = /^true$/i.test(String(json['IsTruncated']));
    const mark = isTruncated ? 'IsTruncated' : pageMarks.find((member) => typeof json[member] === 'string');
    return mark === undefined
      ? undefined
      : `it is one page of several (${mark}): run the aws command without --max-items and --no-paginate`;
  },
  readZone(domain, json) {
    const sets = setsIn(json);
    return sets && readRecordSets(domain, sets);
  },
};

function setsIn(json: unknown): readonly JsonObject[] | undefined {
  const list = isObject(json) ? json['ResourceRecordSets'] : json;
  return Array.isArray(list) ? objectsOf(list) : undefined;
}

/** Converts all record sets of a hosted zone. */
export function readRecordSets(domain: string, sets: readonly JsonObject[]): LoadedZone {
  return buildZone(domain, sets.flatMap(readSet));
}

/** Members of an answer that name the next page: the first is from the command line, the others from the API. */
const pageMarks = ['NextToken', 'NextRecordName', 'NextRecordType', 'NextRecordIdentifier'];

/** Members that make a set one of several possible answers, and the policy in words. */
const policies: Readonly<Record<string, string>> = {
  Weight: 'weighted',
  Region: 'chosen by latency',
  Failover: 'chosen by health',
  GeoLocation: 'chosen by the location of the client',
  GeoProximityLocation: 'chosen by the location of the client',
  CidrRoutingConfig: 'chosen by the address of the client',
  MultiValueAnswer: 'several answers chosen by health',
  TrafficPolicyInstanceId: 'made by a traffic policy',
};

function readSet(set: JsonObject): readonly (ProviderRecord | SkippedEntry)[] {
  const name = fromOctal(textOf(set['Name']) ?? '');
  const type = textOf(set['Type']) ?? '';
  const policy = Object.keys(policies).find((member) => set[member] !== undefined);
  const alias = set['AliasTarget'];
  if (isObject(alias)) {
    const target = textOf(alias['DNSName']) ?? '?';
    const record = `${name} IN ${type} ALIAS ${target}`;
    return [
      {
        skipped: {
          record,
          reason: `an alias of Route 53: create the addresses of ${target}, or, below the domain itself, a CNAME record`,
        },
      },
    ];
  }
  const values = objectsOf(set['ResourceRecords']).map(({ Value: value }) => fromOctal(textOf(value) ?? ''));
  if (values.length === 0)
    return [{ skipped: { record: `${name} IN ${type}`, reason: 'a set without records' } }];
  if (policy !== undefined) {
    const identifier = textOf(set['SetIdentifier']);
    const which = identifier === undefined ? 'the set' : `the set ${identifier}`;
    const reason = `${which} is ${policies[policy]}: DNS has only one set per name and type, choose one`;
    return values.map((value) => ({ skipped: { record: `${name} IN ${type} ${value}`, reason } }));
  }
  return values.map((value) => ({
    name,
    type,
    ttl: Number(set['TTL']),
    data: value,
    isPresentationFormat: true,
  }));
}

/**
 * Converts Route 53's escapes: it writes octets as three octal digits, `\052`, and in names all characters except
 * letters, digits, `-` and `_`. Zone files use three decimal digits and need fewer escapes. An escaped backslash
 * (`\\`) stays.
 */
export function fromOctal(text: string): string {
  return text.replace(/\\(?:\\|([0-3][0-7]{2}))/g, (escape, digits: string | undefined) => {
    if (digits === undefined) return escape;
    const octet = Number.parseInt(digits, 8);
    const character = String.fromCharCode(octet);
    return PLAIN.test(character) ? character : `\\${String(octet).padStart(3, '0')}`;
  });
}

/** Characters that never need an escape in a zone file. */
const PLAIN = /[a-z0-9*/_-]/i;
