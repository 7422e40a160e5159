/**
 * The zones of the comparison: one hot zone with many names and many small zones of ten records, or signed zones of a
 * thousand names and one of a million.
 */

import type { Denial } from '../../src/dns/proven-types.ts';

export const HOT_APEX = 'hot.example';
export const HOT_NAMES = 1000;
export const LARGE_NAMES = 100;
/** Hosts of a small zone; with SOA, two NS, MX and TXT it has ten records. */
export const SMALL_HOSTS = 5;

export const NSEC_APEX = 'nsec.example';
export const NSEC3_APEX = 'nsec3.example';
export const LARGE_APEX = 'large.example';
/** The label above the wildcard of the signed zones. */
export const WILD_LABEL = 'wild';

/** The first nameserver of the service and of all zones. */
export const BENCH_NAMESERVER = 'ns1.bench.example.net';

export interface BenchRecord {
  /** Relative to the zone; `''` is the apex. */
  readonly owner: string;
  readonly type: 'A' | 'MX' | 'NS' | 'TXT';
  readonly data: string;
}

export interface BenchZone {
  /** Without trailing dot. */
  readonly apex: string;
  readonly records: readonly BenchRecord[];
  /** Absent: the zone is not signed. */
  readonly denial?: Denial;
}

/**
 * `unsigned`: the hot zone and so many small ones; `signed-small`: the same, all signed with NSEC; `signed`: a zone of a
 * thousand names with NSEC and one with NSEC3, and one of so many names with NSEC unless that is 0.
 */
export type ZoneSet = 'unsigned' | 'signed-small' | 'signed';

export function* zonesOf(set: ZoneSet, count: number): Generator<BenchZone> {
  if (set === 'signed') {
    yield signedZone(NSEC_APEX, HOT_NAMES, 'nsec');
    yield signedZone(NSEC3_APEX, HOT_NAMES, 'nsec3');
    if (count > 0) yield signedZone(LARGE_APEX, count, 'nsec');
    return;
  }
  const signing = set === 'signed-small' ? { denial: 'nsec' as const } : {};
  yield { apex: HOT_APEX, records: hotRecords(), ...signing };
  for (let i = 0; i < count; i++) yield { apex: smallApex(i), records: smallZone(i), ...signing };
}

export function smallApex(number: number): string {
  return `zone-${number}.example`;
}

function smallZone(number: number): BenchRecord[] {
  return [
    ...nameservers,
    { owner: '', type: 'MX', data: '10 mail.example.net.' },
    { owner: '', type: 'TXT', data: '"v=spf1 include:spf.example.net -all"' },
    ...Array.from({ length: SMALL_HOSTS }, (_, i) => host(`host-${i}`, number + i)),
  ];
}

function hotRecords(): BenchRecord[] {
  const text = `"${'x'.repeat(250)}"`;
  return [
    ...nameservers,
    ...Array.from({ length: HOT_NAMES }, (_, i) => host(`host-${i}`, i)),
    ...Array.from({ length: LARGE_NAMES }, (_, i): BenchRecord => {
      return { owner: `large-${i}`, type: 'TXT', data: `${text} ${text} ${text} ${text}` };
    }),
  ];
}

function signedZone(apex: string, names: number, denial: Denial): BenchZone {
  const hosts = Array.from({ length: names }, (_, i) => host(`host-${i}`, i));
  return { apex, records: [...nameservers, host(`*.${WILD_LABEL}`, 0), ...hosts], denial };
}

const nameservers: readonly BenchRecord[] = [
  { owner: '', type: 'NS', data: `${BENCH_NAMESERVER}.` },
  { owner: '', type: 'NS', data: 'ns2.bench.example.net.' },
];

function host(owner: string, number: number): BenchRecord {
  return { owner, type: 'A', data: `192.0.${(number >> 8) & 255}.${number & 255}` };
}

/** A name of the last zone of a set that has an address. */
export function lastHost(set: ZoneSet, count: number): string {
  if (set === 'signed') return `host-1.${count > 0 ? LARGE_APEX : NSEC3_APEX}`;
  return `host-1.${smallApex(count - 1)}`;
}
