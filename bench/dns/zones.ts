/** The zones of the comparison: one hot zone with many names, and many small zones of ten records. */

import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const HOT_APEX = 'hot.example';
export const HOT_NAMES = 1000;
export const LARGE_NAMES = 100;
/** Hosts of a small zone; with SOA, two NS, MX and TXT it has ten records. */
const HOSTS = 5;

export interface BenchRecord {
  /** Relative to the zone; `''` is the apex. */
  readonly owner: string;
  readonly type: 'A' | 'MX' | 'NS' | 'TXT';
  readonly data: string;
}

export function smallApex(number: number): string {
  return `zone-${number}.example`;
}

export function smallZone(number: number): BenchRecord[] {
  return [
    ...nameservers,
    { owner: '', type: 'MX', data: '10 mail.example.net.' },
    { owner: '', type: 'TXT', data: '"v=spf1 include:spf.example.net -all"' },
    ...Array.from({ length: HOSTS }, (_, i) => host(`host-${i}`, number + i)),
  ];
}

export function hotZone(): BenchRecord[] {
  const text = `"${'x'.repeat(250)}"`;
  return [
    ...nameservers,
    ...Array.from({ length: HOT_NAMES }, (_, i) => host(`host-${i}`, i)),
    ...Array.from({ length: LARGE_NAMES }, (_, i): BenchRecord => {
      return { owner: `large-${i}`, type: 'TXT', data: `${text} ${text} ${text} ${text}` };
    }),
  ];
}

export const nameservers: readonly BenchRecord[] = [
  { owner: '', type: 'NS', data: 'ns1.bench.example.net.' },
  { owner: '', type: 'NS', data: 'ns2.bench.example.net.' },
];

function host(owner: string, number: number): BenchRecord {
  return { owner, type: 'A', data: `192.0.${(number >> 8) & 255}.${number & 255}` };
}

/** Writes zone files for the other servers, one per zone, named by `zoneFileName` of the comparison tests. */
export function writeZoneFiles(folder: string, zones: number): string[] {
  mkdirSync(folder, { recursive: true });
  const apexes = [HOT_APEX, ...Array.from({ length: zones }, (_, i) => smallApex(i))];
  apexes.forEach((apex, i) => {
    const records = i === 0 ? hotZone() : smallZone(i - 1);
    const soa = `@ 3600 IN SOA ns1.bench.example.net. hostmaster.${apex}. 1 7200 3600 1209600 300`;
    const lines = records.map(
      ({ owner, type, data }) => `${owner === '' ? '@' : owner} 300 IN ${type} ${data}`,
    );
    writeFileSync(join(folder, `${apex}.zone`), `$ORIGIN ${apex}.\n${[soa, ...lines].join('\n')}\n`);
  });
  return apexes;
}

export const loads = ['hot zone', 'random zones', 'NXDOMAIN flood', 'large answers', 'TCP'] as const;
export type Load = (typeof loads)[number];

/** So many random queries miss only one in a hundred of 100,000 zones. */
const QUERIES = 500_000;

/** Writes query files for dnsperf: one `name type` per line. */
export async function writeQueryFiles(folder: string, zones: number): Promise<Record<Load, string>> {
  const random = (below: number): number => Math.floor(Math.random() * below);
  const lines: Record<Load, () => string> = {
    'hot zone': () => `host-${random(HOT_NAMES)}.${HOT_APEX} A`,
    'random zones': () => `host-${random(HOSTS)}.${smallApex(random(zones))} A`,
    'NXDOMAIN flood': () => `${random(2 ** 40).toString(36)}.${HOT_APEX} A`,
    'large answers': () => `large-${random(LARGE_NAMES)}.${HOT_APEX} TXT`,
    TCP: () => `host-${random(HOT_NAMES)}.${HOT_APEX} A`,
  };
  const files = {} as Record<Load, string>;
  for (const load of loads) {
    files[load] = join(folder, `${load.replace(' ', '-')}.queries`);
    const stream = createWriteStream(files[load]);
    for (let i = 0; i < QUERIES; i++) stream.write(`${lines[load]()}\n`);
    await new Promise((resolve) => stream.end(resolve));
  }
  return files;
}
