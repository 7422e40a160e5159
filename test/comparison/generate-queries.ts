// Generates the questions about a zone: its names, names above and below them, wildcards by name, and the targets of
// aliases.

import type { Random } from '../harness/random.ts';
import { mixCase, randomName } from './generate-zone.ts';
import type { Query } from './message.ts';
import { isAtOrBelow, parentOf, type TestZone } from './test-zone.ts';

const plainTypes = [
  'A',
  'A',
  'AAAA',
  'NS',
  'SOA',
  'MX',
  'TXT',
  'SRV',
  'CNAME',
  'DNAME',
  'DS',
  'ANY',
  'PTR',
  'TYPE65280',
  'TYPE1234',
] as const;
/** In signed zones as well. */
const signedTypes = ['RRSIG', 'NSEC', 'NSEC3', 'DNSKEY', 'CDS', 'CDNSKEY', 'NSEC3PARAM', 'DS'] as const;

export function generateQueries(random: Random, zone: TestZone, count: number): Query[] {
  const known = namesOf(zone);
  const types = typesFor(zone);
  return Array.from({ length: count }, () => {
    const name = pickName(random, zone, known);
    const present = zone.records
      .filter((record) => record.owner === name.toLowerCase())
      .map(({ type }) => type);
    const type = present.length > 0 && random.below(2) === 0 ? random.pick(present) : random.pick(types);
    return { name: mixCase(random, name), type, ...pickTransport(random, zone) };
  });
}

/**
 * Queries for every name of the zone, one name below each, and the names that the file requests: with every type,
 * alternating transports.
 */
export function everyQuery(random: Random, zone: TestZone): Query[] {
  const known = namesOf(zone);
  const below = known.flatMap((name) => [join('x', name), join('*', name), join('x.y', name)]);
  const names = [...new Set([...known, ...below, ...zone.asks])].filter(isPossible);
  // Every type once.
  const types = [...new Set(typesFor(zone))];
  return names.flatMap((name) => types.map((type) => ({ name, type, ...pickTransport(random, zone) })));
}

function typesFor({ denial }: TestZone): readonly string[] {
  return denial === undefined ? plainTypes : [...plainTypes, ...signedTypes];
}

/** Owners, all names between them and the apex, and the names in their data. */
function namesOf(zone: TestZone): string[] {
  const names = new Set<string>();
  const addPath = (name: string): void => {
    for (let at = name.toLowerCase(); at !== zone.apex && isAtOrBelow(at, zone.apex); at = parentOf(at))
      names.add(at);
  };
  for (const { owner, data } of zone.records) {
    addPath(owner);
    for (const field of data.split(' ')) if (field.endsWith('.')) addPath(field);
  }
  names.add(zone.apex);
  return [...names];
}

function pickName(random: Random, zone: TestZone, known: readonly string[]): string {
  const name = random.pick(known);
  const choices = [
    name,
    name,
    name,
    join('x', name),
    join('*', name),
    join('x.y', name),
    join('a', name),
    randomName(random, zone.apex),
  ];
  const chosen = random.pick(choices);
  return isPossible(chosen) ? chosen : name;
}

function pickTransport(random: Random, { denial }: TestZone): Omit<Query, 'name' | 'type'> {
  const tcp = random.below(6) === 0;
  const ednsBytes = random.pick([0, 0, 512, 1232, 1232, 4096]);
  const plain = { tcp, ednsBytes: ednsBytes === 0 ? undefined : ednsBytes };
  if (denial === undefined) return plain;
  // Most clients of a signed zone are validators. One in six asks as above.
  return random.below(6) === 0
    ? plain
    : { tcp, ednsBytes: random.pick([512, 1232, 1232, 4096]), dnssecOk: true };
}

function join(label: string, name: string): string {
  return name === '.' ? `${label}.` : `${label}.${name}`;
}

/** True if the name fits into 255 octets on the wire. */
function isPossible(name: string): boolean {
  return name.length <= 254;
}
