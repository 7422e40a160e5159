import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import type { OwnerSets } from './image-builder.ts';
import {
  chainNode,
  findNextSignature,
  findSignature,
  findSoaSignature,
  hashedAtOrBefore,
  hashMatches,
  MAX_TYPE_BITMAP_OCTETS,
  nextInChain,
  signatureKeyTag,
  writeTypeBitmap,
} from './signed-view.ts';
import {
  address,
  apex,
  compareCanonically,
  hashOf,
  name,
  nodeName,
  nsec3Owner,
  nsecOwner,
  scanOf,
  seenOf,
  signature,
  signaturesOf,
  soa,
  viewOf,
  walkChain,
} from './signed-zone.test-support.ts';
import { ZoneMemory } from './zone-memory.ts';
import { createZoneSpace } from './zone-space.ts';
import { findNode } from './zone-view.ts';

const SEED = 12345;
const { A, NS, DS, AAAA, NSEC, NSEC3, RRSIG, SOA, TXT } = rrType;

function loaded(owners: readonly OwnerSets[], signatures = [signature(SOA, 1)]): ZoneMemory {
  const zones = new ZoneMemory(createZoneSpace(2 ** 23, 1, SEED));
  zones.host(apex);
  const content = { apex, domainId: 1, account: '', soa: { ...soa, signatures } };
  expect(zones.load(content, owners)).toBe(true);
  return zones;
}

function text(owner: Uint8Array): string {
  return Buffer.from(owner).toString('latin1');
}

/** Names below the apex, with any octets but capitals, of which canonical order knows nothing. */
const label = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '*',
    'ab',
    'a!',
    '\u0000',
    '\u0001',
    'ÿ',
    'long-label-that-is-shared-by-many-names',
  ),
  fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((octets) =>
      Buffer.from(octets.map((o) => (o >= 0x41 && o <= 0x5a ? o + 32 : o))).toString('latin1'),
    ),
);
const below = fc.array(label, { maxLength: 5 }).map((labels) => {
  const octets = labels.flatMap((each) => [each.length, ...Buffer.from(each, 'latin1')]);
  return Uint8Array.of(...octets, ...apex) as DomainName;
});

function unique(owners: readonly DomainName[]): DomainName[] {
  return [...new Map(owners.map((owner) => [text(owner), owner])).values()];
}

test('chainNode() and nextInChain() agree with a sorted array of names', () => {
  fc.assert(
    fc.property(fc.array(below, { maxLength: 400 }), fc.array(below, { maxLength: 40 }), (owners, asked) => {
      const names = unique([apex, ...owners]);
      const view = viewOf(loaded(names.map((owner, i) => nsecOwner(owner, i))));
      const sorted = [...names].sort(compareCanonically);
      expect(walkChain(view, SEED)).toEqual(sorted.map(text));
      for (const owner of [...asked, ...owners]) {
        const before = sorted.filter((each) => compareCanonically(each, owner) <= 0).length - 1;
        const node = chainNode(view, scanOf({ seed: SEED }, owner), 0);
        expect(nodeName(view, node)).toBe(text(sorted[before]));
        expect(nodeName(view, nextInChain(view, node))).toBe(text(sorted[(before + 1) % sorted.length]));
      }
    }),
    { numRuns: 40 },
  );
});

test('hashedAtOrBefore() and nextInChain() agree with a sorted array of hashes, around the end', () => {
  fc.assert(
    fc.property(fc.array(below, { maxLength: 300 }), fc.array(below, { maxLength: 40 }), (owners, asked) => {
      const names = unique([apex, ...owners]);
      const view = viewOf(loaded(names.map((owner, i) => nsec3Owner(owner, i))));
      const sorted = [...names].sort((one, other) => Buffer.compare(hashOf(one), hashOf(other)));
      expect(walkChain(view, SEED)).toEqual(sorted.map(text));
      for (const hash of [
        ...[...asked, ...owners].map(hashOf),
        new Uint8Array(20),
        new Uint8Array(20).fill(255),
      ]) {
        const before = sorted.filter((each) => Buffer.compare(hashOf(each), hash) <= 0).length - 1;
        const found = sorted.at(before) ?? apex;
        const node = hashedAtOrBefore(view, hash);
        expect(nodeName(view, node)).toBe(text(found));
        expect(hashMatches(view, node, hash)).toBe(Buffer.compare(hashOf(found), hash) === 0);
        expect(nodeName(view, nextInChain(view, node))).toBe(text(sorted[(before + 1) % sorted.length]));
      }
    }),
    { numRuns: 40 },
  );
});

test('hashes that share more octets than a block keeps of them are told apart', () => {
  const hashes = Array.from({ length: 300 }, (_, i) => {
    const hash = new Uint8Array(20).fill(7);
    hash.set([i % 3, 255 * (i & 1)]);
    hash.set([i >> 8, i & 255], i % 5 === 0 ? 18 : 8);
    return hash;
  });
  const owners = hashes.map((hash, i) => {
    const owner = nsec3Owner(i === 0 ? apex : name(`n${i}.example`), i);
    return { ...owner, signing: { status: 1 as const, signatures: [], hash } };
  });
  const view = viewOf(loaded(owners));
  const sorted = [...owners].sort((a, b) => Buffer.compare(a.signing.hash, b.signing.hash));
  expect(walkChain(view, SEED)).toEqual(sorted.map(({ owner }) => text(owner)));
  for (const hash of hashes) {
    const after = Uint8Array.from(hash);
    after[19]++;
    for (const asked of [hash, after]) {
      const found = sorted.findLast(({ signing }) => Buffer.compare(signing.hash, asked) <= 0);
      expect(nodeName(view, hashedAtOrBefore(view, asked))).toBe(text(found?.owner ?? apex));
    }
  }
});

test('the chain of a zone with an apex alone leads from it to itself', () => {
  const view = viewOf(loaded([nsecOwner(apex, 1)]));
  const node = chainNode(view, scanOf({ seed: SEED }, name('a.b.example')), 0);
  expect(nodeName(view, node)).toBe(text(apex));
  expect(nextInChain(view, node)).toBe(node);
});

test('chainNode() looks for the suffix of a name from a label on', () => {
  const owners = ['a', 'b', 'd'].map((each, i) => nsecOwner(name(`${each}.example`), i));
  const view = viewOf(loaded([nsecOwner(apex, 9), ...owners]));
  const scan = scanOf({ seed: SEED }, name('x.c.example'));
  expect(nodeName(view, chainNode(view, scan, 1))).toBe(text(name('b.example')));
  expect(nodeName(view, chainNode(view, scan, 2))).toBe(text(apex));
});

test('names below a delegation have no place in the chain, and are found', () => {
  const cut = { ...nsecOwner(name('cut.example'), 2, 2), sets: [{ type: NS, ttl: 60, rdatas: [apex] }] };
  const glue = nsecOwner(name('ns.cut.example'), 3, 0);
  const view = viewOf(loaded([nsecOwner(apex, 1), cut, glue, nsecOwner(name('d.example'), 4)]));
  expect(walkChain(view, SEED)).toEqual([apex, cut.owner, name('d.example')].map(text));
  expect(seenOf(view, SEED, glue.owner)).toEqual({ types: [A], signatures: [], hash: undefined });
  expect(nodeName(view, chainNode(view, scanOf({ seed: SEED }, glue.owner), 0))).toBe(text(cut.owner));
});

test('empty non-terminals are in the NSEC3 chain and not in the NSEC chain', () => {
  const owner = name('a.b.example');
  const empty = name('b.example');
  const nsec = viewOf(loaded([nsecOwner(apex, 1), nsecOwner(owner, 2)]));
  expect(walkChain(nsec, SEED)).toEqual([apex, owner].map(text));
  expect(seenOf(nsec, SEED, empty)).toEqual({ types: [], signatures: [], hash: undefined });
  const parts = [nsec3Owner(empty, 3, true), nsec3Owner(owner, 2)];
  for (const order of [parts, [...parts].reverse()]) {
    const nsec3 = viewOf(loaded([nsec3Owner(apex, 1), ...order]));
    expect(walkChain(nsec3, SEED).sort()).toEqual([apex, owner, empty].map(text).sort());
    const signatures = [signature(NSEC3, 3)];
    expect(seenOf(nsec3, SEED, empty)).toEqual({ types: [], signatures, hash: hashOf(empty) });
  }
});

test('signatures are found by type, and by key where two keys sign', () => {
  const signatures = [signature(A, 1, 1), signature(A, 1, 2), signature(NSEC, 1, 1), signature(NSEC, 1, 2)];
  const owner = { owner: apex, sets: [address(1)], signing: { status: 1 as const, signatures } };
  const view = viewOf(loaded([owner], [signature(SOA, 1, 1), signature(SOA, 1, 2)]));
  const node = findNode(view, scanOf({ seed: SEED }, apex), 0);
  expect(signaturesOf(view, node)).toEqual(signatures);
  const first = findSignature(view, node, NSEC);
  const second = findNextSignature(view, first);
  expect([first, second].map((each) => signatureKeyTag(view, each))).toEqual([1000, 2000]);
  expect(findNextSignature(view, second)).toBe(0);
  expect(findSignature(view, node, TXT)).toBe(0);
  const soaSignatures = signaturesOf(view, 0, findSoaSignature(view));
  expect(soaSignatures).toEqual([signature(SOA, 1, 1), signature(SOA, 1, 2)]);
});

test('an unsigned zone has neither signatures nor a chain, whatever its owners bring', () => {
  const unsigned = { owner: apex, sets: [address(1)] };
  const view = viewOf(loaded([unsigned, nsecOwner(name('a.example'), 2)]));
  const scan = scanOf({ seed: SEED }, name('a.example'));
  expect(view.isSigned()).toBe(false);
  expect(findSignature(view, findNode(view, scan, 0), A)).toBe(0);
  expect(findSoaSignature(view)).toBe(0);
  expect(chainNode(view, scan, 0)).toBe(0);
  expect(hashedAtOrBefore(view, new Uint8Array(20))).toBe(0);
});

describe('writeTypeBitmap()', () => {
  function bitmapTypes(owners: readonly OwnerSets[], owner: DomainName): number[] {
    const view = viewOf(loaded(owners));
    const into = new Uint8Array(MAX_TYPE_BITMAP_OCTETS + 3).fill(255);
    const length = writeTypeBitmap(view, findNode(view, scanOf({ seed: SEED }, owner), 0), into, 3);
    const found: number[] = [];
    for (let at = 3; at < 3 + length; at += 2 + into[at + 1]) {
      for (let bit = 0; bit < into[at + 1] * 8; bit++)
        if (((into[at + 2 + (bit >> 3)] << (bit & 7)) & 128) !== 0) found.push(into[at] * 256 + bit);
    }
    return found;
  }

  const set = (type: number) => ({ type, ttl: 60, rdatas: [apex] });
  const a = name('a.example');
  const nsecParts = [nsecOwner(apex, 1), { ...nsecOwner(a, 2), sets: [set(AAAA), set(1234), set(A)] }];

  test('lists the sets of a name with RRSIG and NSEC, and SOA at the apex', () => {
    expect(bitmapTypes(nsecParts, a)).toEqual([A, AAAA, RRSIG, NSEC, 1234]);
    expect(bitmapTypes(nsecParts, apex)).toEqual([A, SOA, RRSIG, NSEC]);
  });

  test('leaves out the glue at a delegation', () => {
    const cut = { ...nsecOwner(a, 2, 2), sets: [set(NS), set(A), set(DS)] };
    expect(bitmapTypes([nsecOwner(apex, 1), cut], a)).toEqual([NS, DS, RRSIG, NSEC]);
    const insecure = { ...nsec3Owner(a, 2), sets: [set(NS), set(A)] };
    expect(bitmapTypes([nsec3Owner(apex, 1), insecure], a)).toEqual([NS]);
  });

  test('is empty for an empty non-terminal with NSEC3', () => {
    const owners = [nsec3Owner(apex, 1), nsec3Owner(name('b.a.example'), 2), nsec3Owner(a, 3, true)];
    expect(bitmapTypes(owners, a)).toEqual([]);
  });
});
