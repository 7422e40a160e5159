// Generates small random zones, as the parts that a zone file contains: names, words and strings.

import type { Random } from '../../harness/random.ts';

/** Labels from left to right, each as octets (one per character), without the root label. */
export type Labels = readonly string[];

export type Part =
  | { readonly kind: 'name'; readonly labels: Labels }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'string'; readonly octets: string };

export interface GeneratedRecord {
  readonly owner: Labels;
  readonly ttl: number;
  readonly type: string;
  readonly parts: readonly Part[];
}

const RECORDS = 25;
const TTLS = [0, 1, 60, 90, 300, 3600, 5400, 86_400, 694_861, 2_147_483_647];
const LABELS = [
  'a',
  'B',
  'www',
  '*',
  '_tcp',
  'xn--bcher-kva',
  '0',
  '3600',
  'IN',
  'TXT',
  '@',
  'a.b',
  'a b',
  '$x',
  '"',
  ';',
  '(',
  ')',
  '\\',
];
const ODD_LABELS = ['\0', '\x7f', '\xff', '\t', '\n', '097', 'x'.repeat(63)];

export function generateZone(random: Random, apex: Labels): GeneratedRecord[] {
  const soa = [
    name(['ns', ...apex]),
    name(['host.master', ...apex]),
    ...[1, 7200, 900, 1_209_600, 300].map(word),
  ];
  const ttls = new Map<string, number>();
  // Records of one set share a TTL (RFC 2181 section 5.2); BIND changes others.
  const ttlOf = (owner: Labels, type: string): number => {
    const key = `${owner.join('.').toLowerCase()} ${type}`;
    const ttl = ttls.get(key) ?? random.pick(TTLS);
    ttls.set(key, ttl);
    return ttl;
  };
  const record = (owner: Labels, type: string, parts: readonly Part[]): GeneratedRecord => ({
    owner,
    ttl: ttlOf(owner, type),
    type,
    parts,
  });
  const records = [
    record(apex, 'SOA', soa),
    record(apex, 'NS', [name(['ns', 'elsewhere'])]),
    ...Array.from({ length: RECORDS }, () => {
      const owner = generateName(random, apex);
      const [type, parts] = generateData(random, apex);
      return record(owner, type, parts);
    }),
  ];
  return records;
}

/** A name at or below the apex, often one of few, so that sets have several records. */
function generateName(random: Random, apex: Labels): Labels {
  const depth = random.below(4);
  return [...Array.from({ length: depth }, () => generateLabel(random)), ...apex];
}

function generateLabel(random: Random): string {
  return random.below(10) === 0 ? random.pick(ODD_LABELS) : random.pick(LABELS);
}

function generateData(random: Random, apex: Labels): [type: string, parts: Part[]] {
  const target = random.below(5) === 0 ? [] : generateName(random, random.below(3) === 0 ? [] : apex);
  switch (random.below(7)) {
    case 0:
      return ['A', [word(`192.0.2.${random.below(256)}`)]];
    case 1:
      return ['AAAA', [word(`2001:db8::${random.below(65_536).toString(16)}`)]];
    case 2:
      return ['MX', [word(random.below(65_536)), name(target)]];
    case 3:
      return ['SRV', [...[0, 1, 5060].map(word), name(target)]];
    case 4:
      return ['TYPE65280', [word('\\#'), word(3), word('C0'), word(random.pick(['FFee', '0000']))]];
    case 5:
      return ['CAA', [word(0), word('issue'), { kind: 'string', octets: 'ca.example; a=b' }]];
    default:
      return ['TXT', Array.from({ length: 1 + random.below(4) }, () => generateString(random))];
  }
}

const STRINGS = [
  '',
  'x',
  'v=spf1 -all',
  'a;b',
  '"',
  '\\',
  '( open',
  ')',
  '@',
  '$',
  '\t',
  '\0\x7f\xff\n',
  'k'.repeat(255),
];

function generateString(random: Random): Part {
  return { kind: 'string', octets: random.pick(STRINGS) };
}

function name(labels: Labels): Part {
  return { kind: 'name', labels };
}

function word(value: string | number): Part {
  return { kind: 'word', text: String(value) };
}
