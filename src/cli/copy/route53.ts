import type { JsonExport } from './json-files.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import { buildZone, type LeftOut, type ProviderRecord } from './provider-zone.ts';
import type { LoadedZone } from './copy-source.ts';

/**
 * Route 53's record sets: `{"ResourceRecordSets": [{"Name","Type","TTL","ResourceRecords": [{"Value"}]} …]}`, as
 * `aws route53 list-resource-record-sets` prints them, and route53-source.ts brings them. Sets that Route 53 answers by rules of its own (aliases; weighted,
 * by latency, place or health) have no counterpart in DNS and are left out with what they were.
 */
export const route53Export: JsonExport = {
  provider: 'Route 53',
  findDomain: (json) => textOf(setsIn(json)?.find(({ Type: type }) => type === 'SOA')?.['Name']),
  readZone(domain, json) {
    const sets = setsIn(json);
    return sets && withoutRest(readRecordSets(domain, sets), isObject(json) && json['IsTruncated'] === true);
  },
};

function setsIn(json: unknown): readonly JsonObject[] | undefined {
  const list = isObject(json) ? json['ResourceRecordSets'] : json;
  return Array.isArray(list) ? objectsOf(list) : undefined;
}

/** All record sets of a hosted zone → the zone. */
export function readRecordSets(domain: string, sets: readonly JsonObject[]): LoadedZone {
  return buildZone(domain, sets.flatMap(readSet));
}

function withoutRest(zone: LoadedZone, isTruncated: boolean): LoadedZone {
  if (!isTruncated) return zone;
  const reason = 'the export is one page of several (IsTruncated): run the aws command without --max-items';
  return { ...zone, setAside: [...zone.setAside, { record: 'all further record sets', reason }] };
}

/** Members that make a set one of several answers, and what Route 53 calls that. */
const policies: Readonly<Record<string, string>> = {
  Weight: 'weighted',
  Region: 'chosen by latency',
  Failover: 'chosen by health',
  GeoLocation: 'chosen by the place of who asks',
  GeoProximityLocation: 'chosen by the place of who asks',
  CidrRoutingConfig: 'chosen by the address of who asks',
  MultiValueAnswer: 'several answers chosen by health',
  TrafficPolicyInstanceId: 'made by a traffic policy',
};

function readSet(set: JsonObject): readonly (ProviderRecord | LeftOut)[] {
  const name = fromOctal(textOf(set['Name']) ?? '');
  const type = textOf(set['Type']) ?? '';
  const policy = Object.keys(policies).find((member) => set[member] !== undefined);
  const alias = set['AliasTarget'];
  if (isObject(alias)) {
    const target = textOf(alias['DNSName']) ?? '?';
    const record = `${name} IN ${type} ALIAS ${target}`;
    return [
      {
        leftOut: {
          record,
          reason: `an alias of Route 53: write the addresses of ${target}, or a CNAME record where it is not the domain itself`,
        },
      },
    ];
  }
  const values = objectsOf(set['ResourceRecords']).map(({ Value: value }) => fromOctal(textOf(value) ?? ''));
  if (values.length === 0)
    return [{ leftOut: { record: `${name} IN ${type}`, reason: 'a set without records' } }];
  if (policy !== undefined) {
    const identifier = textOf(set['SetIdentifier']);
    const which = identifier === undefined ? 'the set' : `the set ${identifier}`;
    const reason = `${which} is ${policies[policy]}: DNS has one set for a name and type, choose which`;
    return values.map((value) => ({ leftOut: { record: `${name} IN ${type} ${value}`, reason } }));
  }
  return values.map((value) => ({ name, type, ttl: Number(set['TTL']), data: value, isMasterFile: true }));
}

/**
 * Route 53 writes octets as `\052`, three octal digits, and in names all but letters, digits, `-` and `_`; master files
 * have three decimal digits, and need them for fewer. A backslash that stands for itself (`\\`) stays.
 */
export function fromOctal(text: string): string {
  return text.replace(/\\(?:\\|([0-3][0-7]{2}))/g, (escape, digits: string | undefined) => {
    if (digits === undefined) return escape;
    const octet = Number.parseInt(digits, 8);
    const character = String.fromCharCode(octet);
    return PLAIN.test(character) ? character : `\\${String(octet).padStart(3, '0')}`;
  });
}

/** Has no meaning in a master file wherever it stands. */
const PLAIN = /[a-z0-9*/_-]/i;
