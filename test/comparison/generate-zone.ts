// Generates zones from a seed. They use few labels, so that names collide and nest, and aliases meet every kind of
// data. Records that a server would refuse to load (a CNAME beside other data, data below a DNAME) are left out; merely
// unusual ones are not.

import type { Random } from '../harness/random.ts';
import { isAtOrBelow, type TestRecord, type TestZone } from './test-zone.ts';

/** Number of owner names in a zone. */
const ownerCount = { least: 6, most: 26 } as const;
const MAX_DEPTH = 4;
const labels = ['a', 'b', 'c', 'd'] as const;

/** Kinds of data at an owner, with their weights. */
const contents = [
  ...Array<'data'>(13).fill('data'),
  ...Array<'alias'>(5).fill('alias'),
  ...Array<'delegation'>(4).fill('delegation'),
  ...Array<'dname'>(2).fill('dname'),
];
const dataTypes = ['A', 'A', 'AAAA', 'MX', 'TXT', 'SRV', 'PTR', 'TYPE65280'] as const;
const foreignNames = ['www.foreign.example.', 'foreign.example.', 'a.b.example.net.'] as const;
const ttls = [30, 60, 300, 3600] as const;

interface Draft {
  readonly random: Random;
  readonly apex: string;
  readonly owners: readonly string[];
  readonly records: TestRecord[];
  counter: number;
}

export function generateZone(random: Random, apex: string): TestZone {
  const owners = pickOwners(random, apex);
  const draft: Draft = { random, apex, owners, records: [], counter: 0 };
  putApex(draft);
  for (const owner of owners) putOwner(draft, owner);
  return { apex, records: draft.records.filter(isServable), without: [], asks: [] };
}

function pickOwners(random: Random, apex: string): string[] {
  const count = ownerCount.least + random.below(ownerCount.most - ownerCount.least);
  return [...new Set(Array.from({ length: count }, () => randomName(random, apex)))];
}

/** A name below the apex; its first label is often an asterisk, a higher one sometimes. */
export function randomName(random: Random, apex: string): string {
  const depth = 1 + random.below(MAX_DEPTH);
  const name = Array.from({ length: depth }, (_, i) =>
    random.below(i === 0 ? 5 : 14) === 0 ? '*' : random.pick(labels),
  );
  return `${name.join('.')}.${apex}`;
}

/** Sometimes changes the case of some letters. */
export function mixCase(random: Random, name: string): string {
  if (random.below(5) !== 0) return name;
  return name.replace(/[a-z]/g, (letter) => (random.below(2) === 0 ? letter.toUpperCase() : letter));
}

function putApex(draft: Draft): void {
  const { random, apex } = draft;
  const minimum = random.pick([60, 300, 7200]);
  const soa = `ns1.${apex} hostmaster.${apex} 1 7200 3600 1209600 ${minimum}`;
  put(draft, apex, 'SOA', soa, random.pick([60, 300, 3600]));
  put(draft, apex, 'NS', `ns1.${apex}`);
  if (random.below(2) === 0) put(draft, apex, 'NS', 'ns.foreign.example.');
  put(draft, `ns1.${apex}`, 'A', '192.0.2.53');
  if (random.below(2) === 0) put(draft, `ns1.${apex}`, 'AAAA', '2001:db8::53');
  // A DNAME at the apex redirects the whole zone: it is then alone, with the nameserver in another zone.
  if (random.below(16) === 0) {
    draft.records.length = 1;
    put(draft, apex, 'NS', 'ns.foreign.example.');
    put(draft, apex, 'DNAME', random.pick(foreignNames));
  } else if (random.below(2) === 0) putData(draft, apex);
}

function putOwner(draft: Draft, owner: string): void {
  const { random, apex, records } = draft;
  if (records.some(({ type, owner: above }) => type === 'DNAME' && isAtOrBelow(owner, above))) return;
  const isWildcard = owner.startsWith('*.');
  const content = random.pick(contents);
  switch (content) {
    case 'alias':
      put(draft, owner, 'CNAME', target(draft));
      return;
    case 'dname':
      if (isWildcard || owner === apex) putData(draft, owner);
      else putDname(draft, owner);
      return;
    case 'delegation':
      if (isWildcard) putData(draft, owner);
      else putDelegation(draft, owner);
      return;
    default:
      putData(draft, owner);
  }
}

function putData(draft: Draft, owner: string): void {
  const { random } = draft;
  for (let sets = 1 + random.below(3); sets > 0; sets--) {
    const type = random.pick(dataTypes);
    if (draft.records.some((record) => record.owner === owner && record.type === type)) continue;
    const ttl = random.pick(ttls);
    const count = type === 'TXT' && random.below(4) === 0 ? 2 + random.below(8) : 1 + random.below(3);
    for (let i = 0; i < count; i++) put(draft, owner, type, dataOf(draft, type, count), ttl);
  }
}

function dataOf(draft: Draft, type: string, inSet: number): string {
  const number = ++draft.counter;
  switch (type) {
    case 'A':
      return `192.0.2.${number & 255}`;
    case 'AAAA':
      return `2001:db8::${number.toString(16)}`;
    case 'MX':
      return `${number} ${target(draft)}`;
    case 'SRV':
      return `${number} 0 ${1 + draft.random.below(1000)} ${target(draft)}`;
    case 'PTR':
      return target(draft);
    case 'TXT':
      return `"${number}-${'x'.repeat(inSet > 3 ? 200 : draft.random.below(60))}"`;
    default:
      return `\\# 2 ${number.toString(16).padStart(4, '0')}`;
  }
}

/** Nothing may exist below a DNAME (RFC 6672 section 2.4): removes earlier names there. */
function putDname(draft: Draft, owner: string): void {
  const { random, records } = draft;
  const kept = records.filter((record) => record.owner === owner || !isAtOrBelow(record.owner, owner));
  records.splice(0, records.length, ...kept);
  put(draft, owner, 'DNAME', target(draft));
  if (random.below(2) === 0) put(draft, owner, 'A', dataOf(draft, 'A', 1));
}

function putDelegation(draft: Draft, owner: string): void {
  const { random, apex, records } = draft;
  if (records.some((record) => record.owner === owner && record.type === 'CNAME')) return;
  const ttl = random.pick(ttls);
  for (let i = 1 + random.below(3); i > 0; i--) {
    const host = random.pick([
      `ns${i}.${owner}`,
      `ns${i}.${owner}`,
      owner,
      `ns${i}.sibling.${apex}`,
      random.pick(foreignNames),
      target(draft),
    ]);
    if (records.some((record) => record.owner === owner && record.data === host)) continue;
    put(draft, owner, 'NS', host, ttl);
    if (isAtOrBelow(host, apex) && host.startsWith('ns') && random.below(8) !== 0) {
      putIfFree(draft, host, 'A');
      if (random.below(2) === 0) putIfFree(draft, host, 'AAAA');
    }
  }
  if (random.below(3) === 0) put(draft, owner, 'DS', `${++draft.counter} 13 2 ${'00'.repeat(32)}`);
  if (random.below(5) === 0) putIfFree(draft, owner, random.pick(['A', 'TXT', 'MX']));
  if (random.below(4) === 0) putIfFree(draft, `*.${owner}`, 'A');
}

function putIfFree(draft: Draft, owner: string, type: string): void {
  const { records } = draft;
  if (records.some((record) => record.owner === owner && (record.type === type || record.type === 'CNAME')))
    return;
  if (
    records.some(
      (record) => record.type === 'DNAME' && record.owner !== owner && isAtOrBelow(owner, record.owner),
    )
  )
    return;
  put(draft, owner, type, dataOf(draft, type, 1));
}

/** The target of an alias, mail exchanger or nameserver: usually a name of this zone. */
function target({ random, apex, owners }: Draft): string {
  switch (random.below(8)) {
    case 0:
      return random.pick(foreignNames);
    case 1:
      return random.below(3) === 0 ? apex : `ns1.${apex}`;
    case 2:
    case 3:
      return randomName(random, apex);
    default:
      return random.pick(owners);
  }
}

function put(draft: Draft, owner: string, type: string, data: string, ttl = draft.random.pick(ttls)): void {
  const same = draft.records.find((record) => record.owner === owner && record.type === type);
  if (draft.records.some((record) => record.owner === owner && record.type === type && record.data === data))
    return;
  draft.records.push({ owner, ttl: same?.ttl ?? ttl, type, data });
}

/** Keeps a CNAME alone (RFC 1034 section 3.6.2) and only the first one; keeps nothing below a DNAME. */
function isServable(record: TestRecord, index: number, records: readonly TestRecord[]): boolean {
  const besides = records.filter((other) => other !== record && other.owner === record.owner);
  if (record.type === 'CNAME' && besides.length > 0) {
    return besides.every((other) => other.type === 'CNAME' && records.indexOf(other) > index);
  }
  return !records.some(
    (other) =>
      other.type === 'DNAME' && other.owner !== record.owner && isAtOrBelow(record.owner, other.owner),
  );
}
