import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import type { OwnerSets } from './image-builder.ts';
import { findSoaSignature, hashedAtOrBefore, nextInChain } from './signed-view.ts';
import {
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
import { imageUsedBytes, imageVersion } from './zone-image.ts';
import { putOwner } from './zone-image-writer.ts';
import { ZoneMemory } from './zone-memory.ts';
import { createZoneSpace, enterSpace } from './zone-space.ts';
import type { ZoneView } from './zone-view.ts';

const SEED = 12345;
const READER = 0;
const { SOA } = rrType;

type Denial = 'nsec' | 'nsec3';
/** The parts of a zone by owner, in wire form as text. */
type Model = ReadonlyMap<string, OwnerSets>;

function text(owner: Uint8Array): string {
  return Buffer.from(owner).toString('latin1');
}

/** Names at several depths, so that there are empty non-terminals; some differ in octets that need care in a key. */
const pool: readonly DomainName[] = Array.from({ length: 700 }, (_, i) => {
  const shapes = [
    'n%.example',
    'a.n%.example',
    'x.y.n%.example',
    'n%\\000.example',
    '*.\\001n%.example',
    '%.deep.a.b.example',
  ];
  return name(shapes[i % shapes.length].replace('%', String(i % 97)));
});

/** Adds the empty non-terminals of an NSEC3 chain, which own hashes alone. */
function completed(owners: Model, denial: Denial): Model {
  if (denial === 'nsec') return owners;
  const parts = new Map(owners);
  for (const { owner } of owners.values()) {
    for (let at = owner[0] + 1; owner.length - at > apex.length; at += owner[at] + 1) {
      const above = owner.slice(at) as DomainName;
      if (!parts.has(text(above))) parts.set(text(above), nsec3Owner(above, 0, true));
    }
  }
  return parts;
}

/** The parts that lead from one state to another. */
function differences(from: Model, to: Model): OwnerSets[] {
  const changed = [...to.entries()]
    .filter(([owner, part]) => !isSame(from.get(owner), part))
    .map(([, part]) => part);
  const gone = [...from.entries()]
    .filter(([owner]) => !to.has(owner))
    .map(([, { owner }]) => ({ owner, sets: [] }));
  return [...changed, ...gone];
}

function isSame(one: OwnerSets | undefined, other: OwnerSets): boolean {
  return one === other || (one?.sets.length === 0 && other.sets.length === 0);
}

/** Compares all that a reader sees with the parts; one assertion, because there are many versions and names. */
function expectModel(view: ZoneView, model: Model, denial: Denial, serial: number): void {
  const chain = [...model.values()].map(({ owner }) => owner);
  chain.sort(denial === 'nsec' ? compareCanonically : compareHashes);
  expect(walkChain(view, SEED)).toEqual(chain.map(text));
  const wrong: unknown[] = [];
  for (const { owner, sets, signing } of model.values()) {
    const types = sets.map(({ type }) => type);
    const expected = { types, signatures: signing?.signatures, hash: signing?.hash };
    const seen = seenOf(view, SEED, owner);
    if (asText(seen) !== asText(expected)) wrong.push({ seen, expected });
  }
  for (const owner of pool) {
    if (model.has(text(owner))) continue;
    const seen = seenOf(view, SEED, owner);
    // Without NSEC3, an empty non-terminal has a node and no part.
    if (seen !== 'absent' && asText(seen) !== asText({ types: [], signatures: [] }))
      wrong.push({ owner, seen });
  }
  expect(wrong).toEqual([]);
  expect(signaturesOf(view, 0, findSoaSignature(view))).toEqual([signature(SOA, serial)]);
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (each instanceof Uint8Array ? text(each) : each));
}

const change = fc.record({ at: fc.nat(pool.length - 1), isRemoval: fc.boolean() });
const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 15 });

test.each(['nsec', 'nsec3'] as const)(
  'with %s, a reader of any version sees exactly that version',
  (denial) => {
    const ownerOf = denial === 'nsec' ? nsecOwner : nsec3Owner;
    fc.assert(
      fc.property(fc.nat(pool.length), batches, fc.infiniteStream(fc.nat(0xffff)), (first, all, random) => {
        const numbers = random[Symbol.iterator]();
        const number = (): number => Number(numbers.next().value);
        const zones = new ZoneMemory(createZoneSpace(2 ** 25, 1, SEED));
        zones.host(apex);
        let owners: Model = new Map(
          [apex, ...pool.slice(0, first)].map((owner) => [text(owner), ownerOf(owner, 1)]),
        );
        let model = completed(owners, denial);
        const content = (serial: number) => ({
          apex,
          domainId: 1,
          soa: { ...soa, serial, signatures: [signature(SOA, serial)] },
        });
        expect(zones.load({ ...content(1), account: '' }, model.values())).toBe(true);
        // The reader never leaves, so that no block is reused.
        enterSpace(zones.space.words, READER);
        const versions = [{ view: viewOf(zones), model, serial: 1 }];
        all.forEach((batch, i) => {
          const serial = i + 2;
          const changed = new Map(owners);
          for (const { at, isRemoval } of batch) {
            if (isRemoval) changed.delete(text(pool[at]));
            else changed.set(text(pool[at]), ownerOf(pool[at], number()));
          }
          const next = completed(changed, denial);
          const parts = differences(model, next)
            .map((part) => ({ part, rank: number() }))
            .sort((one, other) => one.rank - other.rank);
          expect(
            zones.update(
              content(serial),
              parts.map(({ part }) => part),
            ),
          ).toBe(true);
          [owners, model] = [changed, next];
          versions.push({ view: viewOf(zones), model, serial });
          const earlier = versions[number() % versions.length];
          expectModel(earlier.view, earlier.model, denial, earlier.serial);
        });
        for (const each of versions) expectModel(each.view, each.model, denial, each.serial);
      }),
      { numRuns: 5 },
    );
  },
);

test('a reader sees nothing of a version that is being written', () => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 25, 1, SEED));
  zones.host(apex);
  const half = pool.filter((_, i) => i % 2 === 0);
  const model: Model = new Map([apex, ...half].map((owner) => [text(owner), nsecOwner(owner, 1)]));
  const content = { apex, domainId: 1, account: '', soa: { ...soa, signatures: [signature(SOA, 1)] } };
  expect(zones.load(content, model.values())).toBe(true);
  const view = viewOf(zones);
  const place = { ...zones.space, image: view.image };
  const version = imageVersion(view.words, view.image) + 1;
  let written = 0;
  for (const [i, owner] of pool.entries()) {
    const part = i % 4 === 0 ? undefined : nsecOwner(owner, i);
    if (!putOwner(place, version, scanOf({ seed: SEED }, owner), part?.sets ?? [], apex, part?.signing))
      break;
    if (++written % 20 === 0) expectModel(view, model, 'nsec', 1);
  }
  expect(written).toBeGreaterThan(100);
  expectModel(view, model, 'nsec', 1);
});

test.each(['nsec', 'nsec3'] as const)(
  'with %s, a chain of many blocks grows and shrinks name by name',
  (denial) => {
    const ownerOf = denial === 'nsec' ? nsecOwner : nsec3Owner;
    const zones = new ZoneMemory(createZoneSpace(2 ** 23, 1, SEED));
    zones.host(apex);
    const content = (serial: number) => ({ apex, domainId: 1, account: '', soa: { ...soa, serial } });
    zones.load(content(1), [ownerOf(apex, 1)]);
    const names = Array.from({ length: 1500 }, (_, i) =>
      name(`customer-portal-${(i * 7919) % 1500}.example`),
    );
    names.forEach((owner, i) => expect(zones.update(content(i + 2), [ownerOf(owner, i)])).toBe(true));
    const compare = denial === 'nsec' ? compareCanonically : compareHashes;
    expect(walkChain(viewOf(zones), SEED)).toEqual([apex, ...names].sort(compare).map(text));
    const [left, gone] = [names.filter((_, i) => i % 10 === 3), names.filter((_, i) => i % 10 !== 3)];
    gone.forEach((owner, i) => zones.update(content(2000 + i), [{ owner, sets: [] }]));
    expect(walkChain(viewOf(zones), SEED)).toEqual([apex, ...left].sort(compare).map(text));
    left.forEach((owner, i) => zones.update(content(5000 + i), [{ owner, sets: [] }]));
    expect(walkChain(viewOf(zones), SEED)).toEqual([text(apex)]);
  },
);

function compareHashes(one: Uint8Array, other: Uint8Array): number {
  return Buffer.compare(hashOf(one), hashOf(other));
}

test('a signed zone that was dropped is loaded again with the same content, whatever the order of its owners', () => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 22, 1, SEED));
  zones.host(apex);
  const parts = pool.map((owner, i) => nsec3Owner(owner, i));
  const content = { apex, domainId: 1, account: '', soa: { ...soa, signatures: [signature(SOA, 1)] } };
  const unique = [...new Map(parts.map((part) => [text(part.owner), part])).values()];
  zones.load(content, [nsec3Owner(apex, 1), ...unique]);
  const chain = walkChain(viewOf(zones), SEED);
  const used = imageUsedBytes(zones.space.words, viewOf(zones).image);
  zones.drop(apex);
  zones.load(content, [nsec3Owner(apex, 1), ...unique.reverse()]);
  const view = viewOf(zones);
  expect(walkChain(view, SEED)).toEqual(chain);
  expect(nodeName(view, nextInChain(view, hashedAtOrBefore(view, hashOf(apex))))).toBe(
    chain[(chain.indexOf(text(apex)) + 1) % chain.length],
  );
  expect(Math.abs(imageUsedBytes(view.words, view.image) - used)).toBeLessThan(used / 50);
});
