/**
 * Zones in which every record has its version number as its TTL, so that an answer from two versions is detected. Names
 * come and go from version to version, and aliases change their targets each time.
 */

import { lowerDomainName, parseDomainName, type DomainName } from '../../../src/dns/name.ts';
import { rrType } from '../../../src/dns/codes.ts';
import type { RecordSet } from '../../../src/zone/encode-record-set.ts';
import type { OwnerSets, ZoneContent } from '../../../src/zone/zone-memory.ts';

const HOPS = 3;

/** The queries for every zone; `shows` returns whether there must be an answer in that version. */
export const asked: readonly {
  readonly owner: string;
  readonly type: number;
  shows(version: number): boolean;
  /** Number of records in all sections if there is an answer. */
  readonly records: number;
}[] = [
  { owner: 'www', type: rrType.A, shows: always, records: 1 },
  { owner: 'alias', type: rrType.A, shows: always, records: 3 },
  { owner: 'mail', type: rrType.MX, shows: always, records: 3 },
  { owner: 'below.cut', type: rrType.A, shows: always, records: 2 },
  { owner: 'a.b.odd', type: rrType.A, shows: isOdd, records: 1 },
  { owner: 'any.wild', type: rrType.A, shows: isOdd, records: 1 },
];

export function apexOf(zone: number): DomainName {
  return name(`zone-${zone}.example`);
}

export function contentOf(zone: number, version: number): ZoneContent {
  const rdata = Uint8Array.from([...name('ns'), ...name('host'), ...new Uint8Array(20)]);
  const soa = { serial: version, rdata, ttl: version, negativeTtl: version };
  return { apex: apexOf(zone), domainId: zone + 1, account: '', soa };
}

/** The owners of all versions; owners that are not in this version have no sets. */
export function ownersOf(zone: number, version: number): OwnerSets[] {
  const apex = `zone-${zone}.example`;
  const set = (type: number, ...rdatas: Uint8Array[]): RecordSet => ({ type, ttl: version, rdatas });
  const a = set(rrType.A, Uint8Array.of(192, 0, version >> 8, version));
  const to = (text: string): Uint8Array => name(text === '' ? apex : `${text}.${apex}`);
  const owner = (text: string, ...sets: RecordSet[]): OwnerSets => ({ owner: name(`${text}.${apex}`), sets });
  const hop = version % HOPS;
  return [
    { owner: name(apex), sets: [set(rrType.NS, to('www'))] },
    owner('www', a),
    owner('alias', set(rrType.CNAME, to(`hop-${hop}`))),
    ...Array.from({ length: HOPS }, (_, i) =>
      i === hop ? owner(`hop-${i}`, set(rrType.CNAME, to('www'))) : owner(`hop-${i}`),
    ),
    owner('mail', set(rrType.MX, Uint8Array.of(0, 1, ...to('www')), Uint8Array.of(0, 2, ...to('mail')))),
    owner('cut', set(rrType.NS, to(`ns-${hop}.cut`))),
    ...Array.from({ length: HOPS }, (_, i) => (i === hop ? owner(`ns-${i}.cut`, a) : owner(`ns-${i}.cut`))),
    isOdd(version) ? owner('a.b.odd', a) : owner('a.b.odd'),
    isOdd(version) ? owner('*.wild', a) : owner('*.wild'),
    // Changes the image's size, so that it moves to larger and smaller blocks.
    owner('text', set(rrType.TXT, new Uint8Array(1 + ((version * 37) % 250)).fill(32))),
  ];
}

export function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

function always(): boolean {
  return true;
}

function isOdd(version: number): boolean {
  return version % 2 === 1;
}
