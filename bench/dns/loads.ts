/** The questions of `npm run bench:dns`: a row of its table each. */

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import {
  HOT_APEX,
  HOT_NAMES,
  LARGE_NAMES,
  LARGE_APEX,
  NSEC3_APEX,
  NSEC_APEX,
  SMALL_HOSTS,
  smallApex,
  WILD_LABEL,
} from './zones.ts';

export interface Load {
  readonly name: string;
  /** Makes a line for dnsperf: name and type. @param count of small zones, or of the names of the large zone */
  readonly question: (count: number) => string;
  /** `NOERROR` by default. */
  readonly rcode?: 'NXDOMAIN';
  /** `udp` by default. */
  readonly transport?: 'tcp';
  /** Whether the client wants signatures and proofs. */
  readonly isDnssecOk?: true;
  /** Whether the zones are so many that it takes time until all of them are loaded. */
  readonly isCold?: true;
  /** Whether it asks for the large zone. */
  readonly isLarge?: true;
}

export const unsignedLoads: readonly Load[] = [
  { name: 'hot zone', question: () => `host-${random(HOT_NAMES)}.${HOT_APEX} A` },
  {
    name: 'random zones',
    question: (zones) => `host-${random(SMALL_HOSTS)}.${smallApex(random(zones))} A`,
    isCold: true,
  },
  { name: 'NXDOMAIN flood', question: () => `${anything()}.${HOT_APEX} A`, rcode: 'NXDOMAIN' },
  { name: 'large answers', question: () => `large-${random(LARGE_NAMES)}.${HOT_APEX} TXT` },
  { name: 'TCP', question: () => `host-${random(HOT_NAMES)}.${HOT_APEX} A`, transport: 'tcp' },
];

/** With DO. A name that does not exist stands somewhere between those that do, and the wildcard somewhere else. */
export const signedLoads: readonly Load[] = [
  ...loadsOf('NSEC', NSEC_APEX),
  { name: 'NSEC, DNSKEY', question: () => `${NSEC_APEX} DNSKEY`, isDnssecOk: true },
  ...loadsOf('NSEC3', NSEC3_APEX),
  largeLoad('positive', (names) => `host-${random(names)}.${LARGE_APEX} A`),
  {
    ...largeLoad('NXDOMAIN', (names) => `host-${random(names)}-${anything()}.${LARGE_APEX} A`),
    rcode: 'NXDOMAIN',
  },
];

function loadsOf(denial: string, apex: string): Load[] {
  const host = (): string => `host-${random(HOT_NAMES)}`;
  return [
    { name: `${denial}, positive`, question: () => `${host()}.${apex} A`, isDnssecOk: true },
    {
      name: `${denial}, NXDOMAIN`,
      question: () => `${host()}-${anything()}.${apex} A`,
      rcode: 'NXDOMAIN',
      isDnssecOk: true,
    },
    { name: `${denial}, NODATA`, question: () => `${host()}.${apex} AAAA`, isDnssecOk: true },
    {
      name: `${denial}, wildcard`,
      question: () => `${anything()}.${WILD_LABEL}.${apex} A`,
      isDnssecOk: true,
    },
  ];
}

function largeLoad(name: string, question: Load['question']): Load {
  return { name: `NSEC, ${name}, large zone`, question, isDnssecOk: true, isLarge: true };
}

/** So many random queries miss only one in a hundred of 100,000 zones. */
const QUERIES = 500_000;

/** Writes a query file for dnsperf and returns its path. */
export async function writeQueryFile(folder: string, load: Load, count: number): Promise<string> {
  const path = join(folder, `${load.name.replace(/\W+/g, '-')}.queries`);
  const stream = createWriteStream(path);
  for (let i = 0; i < QUERIES; i++) stream.write(`${load.question(count)}\n`);
  await new Promise((resolve) => stream.end(resolve));
  return path;
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

function anything(): string {
  return random(2 ** 40).toString(36);
}
