// How zone memory is shared between accounts: which zones stay when there is not enough for all.
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { findZone, NOT_LOADED } from './zone-directory.ts';
import { NO_IMAGE } from './image-offsets.ts';
import { NameScan } from './name-scan.ts';
import { ZoneMemory, type OwnerSets } from './zone-memory.ts';
import { createZoneSpace } from './zone-space.ts';

const MIB = 2 ** 20;
const soa = { serial: 1, rdata: new Uint8Array(22), ttl: 3600, negativeTtl: 300 };

function name(text: string): DomainName {
  const result = parseDomainName(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

class Scene {
  readonly zones: ZoneMemory;

  constructor(memoryBytes: number) {
    this.zones = new ZoneMemory(createZoneSpace(memoryBytes, 1, 12345));
  }

  /** Loads a zone of about so many bytes; returns false if there is no room. */
  load(apex: string, account: string, bytes: number): boolean {
    const owner = name(apex);
    this.zones.host(owner);
    const rdata = new Uint8Array(60_000);
    const names = Math.max(0, Math.floor(bytes / 60_500));
    const owners: OwnerSets[] = Array.from({ length: names }, (_, at) => ({
      owner: name(`n${at}.${apex}`),
      sets: [{ type: rrType.TXT, ttl: 60, rdatas: [rdata] }],
    }));
    const small = { type: rrType.TXT, ttl: 60, rdatas: [new Uint8Array(names === 0 ? bytes : 1)] };
    const steps = this.zones.loading(
      { apex: owner, domainId: 1, account, expectedRecords: names + 1 },
      parts([{ owner, sets: [small] }, ...owners]),
    );
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  isLoaded(apex: string): boolean {
    const { space } = this.zones;
    const scan = new NameScan(space.seed);
    const wire = name(apex);
    scan.scan(wire, 0, wire.length);
    const found = { image: NO_IMAGE, apexLabel: 0 };
    findZone(space, scan, 0, found);
    return found.image !== NOT_LOADED && found.image !== 0;
  }

  loaded(apexes: readonly string[]): string[] {
    return apexes.filter((apex) => this.isLoaded(apex));
  }
}

function parts(owners: readonly OwnerSets[]) {
  const rest = [...owners, { soa }].values();
  return () => rest.next().value;
}

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}.example`);

test('four zones that do not fit together push out each other, not those of other accounts', () => {
  const scene = new Scene(8 * MIB);
  const others = named('bob', 50);
  for (const apex of others) expect(scene.load(apex, 'bob', 700)).toBe(true);
  for (let round = 0; round < 12; round++) {
    const apex = `heavy${round % 4}.example`;
    if (scene.isLoaded(apex)) continue;
    expect(scene.load(apex, 'attacker', 3.6 * MIB)).toBe(true);
    expect(scene.loaded(others)).toEqual(others);
  }
});

test('unused memory is lent, and given back when its account needs it', () => {
  const scene = new Scene(4 * MIB);
  const lent = named('a', 400);
  for (const apex of lent) scene.load(apex, 'a', 7000);
  const before = scene.loaded(lent).length;
  expect(before * 8192).toBeGreaterThan(2.5 * MIB);
  const own = named('b', 200);
  for (const apex of own) expect(scene.load(apex, 'b', 7000)).toBe(true);
  expect(scene.loaded(own)).toEqual(own);
  // The first account has its half, less what the directory takes.
  const after = scene.loaded(lent).length;
  expect(after).toBeLessThan(before);
  expect(after * 8192).toBeGreaterThan(1.8 * MIB);
});

test('an account that is over its share makes room among its own zones', () => {
  const scene = new Scene(2 * MIB);
  const others = ['b', 'c', 'd'].flatMap((account) => named(account, 20));
  for (const apex of others) scene.load(apex, apex.charAt(0), 7000);
  const many = named('a', 600);
  for (const apex of many) expect(scene.load(apex, 'a', 7000)).toBe(true);
  expect(scene.loaded(others)).toEqual(others);
  expect(scene.isLoaded('a599.example')).toBe(true);
});

test('the account that holds most gives room to one within its share', () => {
  const scene = new Scene(2 * MIB);
  const most = named('most', 200);
  const less = named('less', 60);
  for (const apex of less) scene.load(apex, 'less', 7000);
  for (const apex of most) scene.load(apex, 'most', 7000);
  const held = scene.loaded(less);
  expect(held).toEqual(less);
  const next = named('next', 40);
  for (const apex of next) expect(scene.load(apex, 'next', 7000)).toBe(true);
  expect(scene.loaded(less)).toEqual(less);
  expect(scene.loaded(next)).toEqual(next);
});

test('a zone larger than the share of its account is served from the overflow', () => {
  const scene = new Scene(8 * MIB);
  const others = Array.from({ length: 10 }, (_, account) => named(`c${account}-`, 20)).flat();
  others.forEach((apex) => expect(scene.load(apex, apex.slice(0, 2), 7000)).toBe(true));
  // Fills the rest of the memory, and is over its share.
  for (const apex of named('filler', 1000)) scene.load(apex, 'filler', 7000);
  expect(scene.loaded(others)).toEqual(others);
  for (let round = 0; round < 6; round++) {
    const apex = `large${round % 3}.example`;
    if (!scene.isLoaded(apex)) expect(scene.load(apex, 'large', 3.6 * MIB)).toBe(true);
    expect(scene.loaded(others)).toEqual(others);
  }
});

test('a zone that does not fit even into the overflow pushes out nobody', () => {
  const scene = new Scene(8 * MIB);
  const others = named('bob', 50);
  for (const apex of others) scene.load(apex, 'bob', 7000);
  expect(scene.load('huge.example', 'attacker', 6 * MIB)).toBe(false);
  expect(scene.loaded(others)).toEqual(others);
});
