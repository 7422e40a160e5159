import { beforeAll, expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../dns/name.ts';
import type { RecordSet } from './encode-record-set.ts';
import { NO_IMAGE } from './image-offsets.ts';
import { NameScan } from './name-scan.ts';
import { rrsetType } from './record-set-block.ts';
import { findZone } from './zone-directory.ts';
import { ZoneLookup, type LookupKind } from './zone-lookup.ts';
import { ZoneMemory, type OwnerSets } from './zone-memory.ts';
import { createZoneSpace } from './zone-space.ts';
import { ZoneView } from './zone-view.ts';

const SPACE_BYTES = 2 ** 20;
const SEED = 7;
const soa = { serial: 1, rdata: new Uint8Array(22), ttl: 3600, negativeTtl: 300 };

const a: RecordSet = { type: rrType.A, ttl: 60, rdatas: [Uint8Array.of(192, 0, 2, 1)] };
const toNs = (type: number): RecordSet => ({ type, ttl: 60, rdatas: [name('ns.example')] });

const memory = new ZoneMemory(createZoneSpace(SPACE_BYTES, 1, SEED));
const view = new ZoneView(memory.space);
const lookup = new ZoneLookup(view, SEED);
const scan = new NameScan(SEED);

beforeAll(() => {
  load(
    'plain',
    owner('plain', toNs(rrType.NS)),
    owner('a.b.plain', a),
    owner('alias.plain', toNs(rrType.CNAME)),
  );
  load(
    'example',
    owner('example', toNs(rrType.NS)),
    owner('www.example', a),
    owner('cut.example', toNs(rrType.NS)),
    owner('ns.cut.example', a),
    owner('moved.example', toNs(rrType.DNAME), a),
    owner('*.wild.example', a),
    owner('*.alias.example', toNs(rrType.CNAME)),
    owner('x.empty.wild.example', a),
  );
});

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

function owner(text: string, ...sets: RecordSet[]): OwnerSets {
  return { owner: name(text), sets };
}

function load(apex: string, ...owners: OwnerSets[]): void {
  memory.host(name(apex));
  expect(memory.load({ apex: name(apex), domainId: 1, account: '', soa }, owners)).toBe(true);
}

function find(text: string, type: number): void {
  const wire = name(text);
  scan.scan(wire, 0, wire.length);
  const found = { image: NO_IMAGE, apexLabel: 0 };
  findZone(memory.space, scan, 0, found);
  view.open(found.image);
  lookup.find(scan, found.apexLabel, type);
}

/** The type of the set that was found; 0 if there is none. */
function foundType(): number {
  return lookup.set === 0 ? 0 : rrsetType(view.words, lookup.set);
}

const { A, NS, DS, ANY, SOA, TXT, CNAME, DNAME } = rrType;

// The question, the kind of result, and the type of the set that was found.
const rows: readonly [string, number, LookupKind, number][] = [
  ['a.b.plain', A, 'data', A],
  ['b.plain', A, 'no data', 0],
  ['alias.plain', A, 'cname', CNAME],
  ['alias.plain', CNAME, 'data', CNAME],
  ['nothing.plain', A, 'no name', 0],
  ['plain', SOA, 'data', SOA],
  ['plain', ANY, 'all data', 0],
  ['b.plain', ANY, 'no data', 0],
  ['www.example', A, 'data', A],
  ['www.example', TXT, 'no data', 0],
  ['example', NS, 'data', NS],
  ['cut.example', A, 'referral', NS],
  ['cut.example', DS, 'no data', 0],
  ['a.b.cut.example', DS, 'referral', NS],
  ['ns.cut.example', A, 'referral', NS],
  ['moved.example', A, 'data', A],
  ['x.y.moved.example', A, 'dname', DNAME],
  ['x.wild.example', A, 'data', A],
  ['x.y.wild.example', A, 'data', A],
  ['x.wild.example', TXT, 'no data', 0],
  ['x.wild.example', ANY, 'all data', 0],
  ['x.alias.example', A, 'cname', CNAME],
  ['empty.wild.example', A, 'no data', 0],
  ['y.empty.wild.example', A, 'no name', 0],
];

test.each(rows)('find() looks up %s, type %d: %s', (text, type, kind, setType) => {
  find(text, type);
  expect([lookup.kind, foundType()]).toEqual([kind, setType]);
  expect(lookup.node === 0).toBe(kind === 'no name');
});

test.each([
  ['cut.example', 0],
  ['a.b.cut.example', 2],
  ['x.moved.example', 1],
])('cutLabel says where the delegation or DNAME of %s begins', (text, label) => {
  find(text, A);
  expect(lookup.cutLabel).toBe(label);
});

test.each([
  ['x.wild.example', true],
  ['empty.wild.example', false],
  ['y.empty.wild.example', false],
  ['nothing.example', false],
  ['www.example', false],
])('isWildcard says whether a wildcard answers for %s', (text, isWildcard) => {
  find(text, A);
  expect(lookup.isWildcard).toBe(isWildcard);
});

// In the zone `plain` no hint makes the look-up walk through the ancestors.
test.each([
  ['nothing.example', 1],
  ['x.y.www.example', 2],
  ['x.y.wild.example', 2],
  ['y.empty.wild.example', 1],
  ['nothing.plain', 1],
  ['x.y.z.b.plain', 3],
])('closestEncloserLabel() says where the closest encloser of %s begins', (text, label) => {
  find(text, A);
  const encloser = lookup.closestEncloser();
  expect(lookup.closestEncloserLabel()).toBe(label);
  find(text.split('.').slice(label).join('.'), ANY);
  expect(lookup.node).toBe(encloser);
});

test('ownerHash is equal for the names that one wildcard, DNAME or delegation covers', () => {
  const hashes = (...names: string[]): number =>
    new Set(
      names.map((text) => {
        find(text, A);
        return lookup.ownerHash;
      }),
    ).size;
  expect(hashes('a.wild.example', 'b.c.wild.example')).toBe(1);
  expect(hashes('a.moved.example', 'b.c.moved.example')).toBe(1);
  expect(hashes('a.cut.example', 'cut.example')).toBe(1);
  expect(hashes('www.example', 'a.wild.example', 'a.moved.example', 'a.cut.example')).toBe(4);
});
