/**
 * Zones at random, made of what is hard to prove: delegations, DNAMEs, wildcards and empty non-terminals above and below
 * each other, aliases among them, and labels whose canonical order is not that of their text.
 */

import type { Random } from '../../../test/harness/random.ts';
import type { TestRecord, TestZone } from '../../../test/comparison/test-zone.ts';

const APEX = 'example.';
const MOST_DEPTH = 4;

/** Few, so that names meet; the octets 0, 1, 2 and 255, and letters beside hyphen and underscore. */
const labels = [
  'a',
  'b',
  'B',
  'ab',
  'a-b',
  '*',
  '_',
  '0',
  '\\000',
  '\\001',
  '\\002a',
  '\\255',
  'long-label-{}',
];
const longLabel = 'x'.repeat(63);
const types = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'DS', 'DNAME', 'CNAME', 'SRV'] as const;
const digest = '2bb183af5f22588179a53b0a98631fad1a2921182bb183af5f22588179a53b0a';

/** A longer text could be a name of more than 255 octets, which is in no zone and no question, if a short label is put before it. */
const MOST_CHARACTERS = 250;

/** A name of the zone, or one below or beside its names. */
export function randomName(random: Random): string {
  const depth = random.below(MOST_DEPTH + 1);
  const parts = Array.from({ length: depth }, () => random.pick(labels).replace('long-label-{}', longLabel));
  const name = [...parts, APEX].join('.');
  return name.length > MOST_CHARACTERS ? name.slice(name.indexOf('.') + 1) : name;
}

export function randomZone(random: Random): TestZone {
  const soaTtl = random.pick([60, 300, 3600]);
  const records: TestRecord[] = [
    { owner: APEX, ttl: soaTtl, type: 'SOA', data: `ns.${APEX} h.${APEX} 1 7200 3600 1209600 300` },
    { owner: APEX, ttl: 3600, type: 'NS', data: random.pick([`a.${APEX}`, 'ns.example.net.']) },
  ];
  const size = random.below(25);
  for (let i = 0; i < size; i++) addRecord(random, records);
  return { apex: APEX, records, without: [], asks: [] };
}

/** Adds a record unless it could not be stored beside those that are there. */
function addRecord(random: Random, records: TestRecord[]): void {
  const owner = randomName(random);
  const type = random.pick(types);
  const others = records.filter((record) => record.owner.toLowerCase() === owner.toLowerCase());
  const has = (other: string): boolean => others.some((record) => record.type === other);
  const isApex = owner === APEX;
  if (has('CNAME') || (type === 'CNAME' && others.length > 0)) return;
  if (type === 'DNAME' && has('DNAME')) return;
  // A wildcard that is a delegation has no defined meaning (RFC 4592 section 4.2).
  if (type === 'NS' && (isApex || owner.startsWith('*.'))) return;
  if (type === 'DS' && !has('NS')) return;
  if (type === 'DNAME' && (isApex || has('NS'))) return;
  if (type === 'NS' && has('DNAME')) return;
  const record = { owner, ttl: random.pick([0, 60, 7200]), type, data: randomData(random, type) };
  const isRepeated = others.some((other) => other.type === type && other.data === record.data);
  if (!isRepeated) records.push(record);
}

function randomData(random: Random, type: (typeof types)[number]): string {
  const target = random.pick([randomName(random), randomName(random), 'host.example.net.']);
  switch (type) {
    case 'A':
      return `192.0.2.${random.below(4)}`;
    case 'AAAA':
      return `2001:db8::${random.below(4)}`;
    case 'TXT':
      return `"${'t'.repeat(random.pick([1, 100, 250]))}"`;
    case 'MX':
      return `10 ${target}`;
    case 'SRV':
      return `1 2 3 ${target}`;
    case 'DS':
      return `${random.below(4)} 13 2 ${digest}`;
    case 'NS':
    case 'CNAME':
    case 'DNAME':
      return target;
  }
}
