import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { NameScan } from './name-scan.ts';
import type { RecordSet } from './encode-record-set.ts';
import { findSet } from './image-node.ts';
import { NO_IMAGE, type ImageStart } from './image-offsets.ts';
import type { ZonePart } from './image-builder.ts';
import { rrsetFirstData } from './record-set-block.ts';
import { findZone, maxHostedNames, NOT_LOADED, spaceSize } from './zone-directory.ts';
import { findNode, ZoneView } from './zone-view.ts';
import { ZoneMemory, type OwnerSets } from './zone-memory.ts';
import { createZoneSpace, enterSpace, leaveSpace } from './zone-space.ts';

const SMALL = 2 ** 20;
const soa = { serial: 1, rdata: new Uint8Array(22), ttl: 3600, negativeTtl: 300 };

function name(text: string): DomainName {
  const result = parseDomainName(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function a(last: number, ttl = 60): RecordSet {
  return { type: rrType.A, ttl, rdatas: [Uint8Array.of(192, 0, 2, last & 255)] };
}

function owner(text: string, ...sets: RecordSet[]): OwnerSets {
  return { owner: name(text), sets };
}

function zoneMemory(bytes = SMALL): ZoneMemory {
  return new ZoneMemory(createZoneSpace(bytes, 2, 12345));
}

function content(apex: string, serial = 1, account = 'account') {
  return { apex: name(apex), domainId: 1, account, soa: { ...soa, serial } };
}

function loaded(apex: string, owners: OwnerSets[], bytes = SMALL): ZoneMemory {
  const zones = zoneMemory(bytes);
  zones.host(name(apex));
  expect(zones.load(content(apex), [owner(apex, a(1)), ...owners])).toBe(true);
  return zones;
}

/** The last octet of the A record that a reader finds, or -1 for a name without one; `view` keeps an earlier version. */
function lookUp(
  zones: ZoneMemory,
  text: string,
  view?: ZoneView,
): number | 'absent' | 'not loaded' | 'not hosted' {
  const { space } = zones;
  const scan = scanned(zones, text);
  const zone = { image: NO_IMAGE, apexLabel: 0 };
  findZone(space, scan, 0, zone);
  if (zone.image === 0) return 'not hosted';
  if (zone.image === NOT_LOADED) return 'not loaded';
  const seen = view ?? viewOf(zones, zone.image);
  const node = findNode(seen, scan, 0);
  if (node === 0) return 'absent';
  const set = findSet(space.words, seen.image, node, rrType.A);
  return set === 0 ? -1 : space.bytes[rrsetFirstData(set) + 3];
}

function scanned(zones: ZoneMemory, text: string): NameScan {
  const scan = new NameScan(zones.space.seed);
  const wire = name(text);
  scan.scan(wire, 0, wire.length);
  return scan;
}

function viewOf(zones: ZoneMemory, image: ImageStart): ZoneView {
  const view = new ZoneView(zones.space);
  view.open(image);
  return view;
}

test('a hosted zone is found once it is loaded, until it is dropped or forgotten', () => {
  const zones = zoneMemory();
  expect(lookUp(zones, 'www.example.com')).toBe('not hosted');
  zones.host(name('example.com'));
  expect(lookUp(zones, 'www.example.com')).toBe('not loaded');
  zones.load(content('example.com'), [owner('example.com', a(1)), owner('www.example.com', a(2))]);
  expect(lookUp(zones, 'www.example.com')).toBe(2);
  expect(lookUp(zones, 'nothing.example.com')).toBe('absent');
  zones.drop(name('example.com'));
  expect(lookUp(zones, 'www.example.com')).toBe('not loaded');
  zones.forget(name('example.com'));
  expect(lookUp(zones, 'www.example.com')).toBe('not hosted');
  expect(zones.hostedNames).toBe(0);
});

test('the longest hosted apex encloses a name', () => {
  const zones = loaded('example.com', [owner('a.sub.example.com', a(2))]);
  expect(lookUp(zones, 'a.sub.example.com')).toBe(2);
  zones.host(name('sub.example.com'));
  expect(lookUp(zones, 'a.sub.example.com')).toBe('not loaded');
  expect(lookUp(zones, 'sub.example.net')).toBe('not hosted');
});

test('empty non-terminals are created and removed with the names below them', () => {
  const zones = loaded('example.com', [owner('a.b.c.example.com', a(2))]);
  expect(['b.c.example.com', 'c.example.com'].map((each) => lookUp(zones, each))).toEqual([-1, -1]);
  zones.update(content('example.com', 2), [owner('x.c.example.com', a(3))]);
  zones.update(content('example.com', 3), [owner('a.b.c.example.com')]);
  expect(lookUp(zones, 'a.b.c.example.com')).toBe('absent');
  expect(lookUp(zones, 'b.c.example.com')).toBe('absent');
  expect(lookUp(zones, 'c.example.com')).toBe(-1);
  zones.update(content('example.com', 4), [owner('x.c.example.com')]);
  expect(lookUp(zones, 'c.example.com')).toBe('absent');
  expect(lookUp(zones, 'example.com')).toBe(1);
});

test('a reader that took a version keeps seeing exactly that version', () => {
  const zones = loaded('example.com', [owner('www.example.com', a(2)), owner('old.example.com', a(3))]);
  const zone = { image: NO_IMAGE, apexLabel: 0 };
  findZone(zones.space, scanned(zones, 'example.com'), 0, zone);
  const view = viewOf(zones, zone.image);
  zones.update(content('example.com', 2), [
    owner('www.example.com', a(9)),
    owner('old.example.com'),
    owner('new.example.com', a(4)),
  ]);
  const before = (text: string): unknown => lookUp(zones, text, view);
  expect([before('www.example.com'), before('old.example.com'), before('new.example.com')]).toEqual([
    2,
    3,
    'absent',
  ]);
  expect([lookUp(zones, 'www.example.com'), lookUp(zones, 'old.example.com')]).toEqual([9, 'absent']);
});

test('a block is not reused before every reader that may see it has left', () => {
  const zones = loaded('example.com', [owner('www.example.com', a(2))]);
  enterSpace(zones.space.words, 1);
  const used = zones.usedBytes;
  zones.drop(name('example.com'));
  zones.host(name('example.net'));
  zones.load(content('example.net'), [owner('example.net', a(1))]);
  expect(zones.usedBytes).toBeGreaterThan(used);
  leaveSpace(zones.space.words, 1);
  zones.host(name('example.org'));
  zones.load(content('example.org'), [owner('example.org', a(1))]);
  expect(zones.usedBytes).toBeLessThanOrEqual(used + 2048);
});

test('unused images make room for others, so that more zones than fit can be loaded', () => {
  const zones = zoneMemory();
  const apexes = Array.from({ length: 3000 }, (_, i) => `zone-${i}.example`);
  for (const apex of apexes) zones.host(name(apex));
  apexes.forEach((apex, i) => {
    expect(zones.load(content(apex), [owner(apex, a(i)), owner(`www.${apex}`, a(i + 1))])).toBe(true);
    expect(lookUp(zones, `www.${apex}`)).toBe((i + 1) & 255);
  });
  expect(zones.usedBytes).toBeLessThanOrEqual(SMALL);
  expect(lookUp(zones, apexes[0])).toBe('not loaded');
  expect(lookUp(zones, apexes[2999])).toBe(2999 & 255);
  expect(zones.loadedZones).toBe(apexes.filter((apex) => lookUp(zones, apex) !== 'not loaded').length);
  expect(zones.evictions).toBe(3000 - zones.loadedZones);
});

test('hosted zones, loaded zones and evictions are counted', () => {
  const zones = loaded('example.com', []);
  const counts = (): readonly number[] => [zones.hostedNames, zones.loadedZones, zones.evictions];
  expect(counts()).toEqual([1, 1, 0]);
  zones.load(content('example.com', 2), [owner('example.com', a(2))]);
  zones.update(content('example.com', 3), [owner('www.example.com', a(3))]);
  expect(counts()).toEqual([1, 1, 0]);
  zones.drop(name('example.com'));
  zones.drop(name('example.com'));
  expect(counts()).toEqual([1, 0, 0]);
  zones.forget(name('example.com'));
  expect(counts()).toEqual([0, 0, 0]);
});

test('while a reader never leaves, no new zone is loaded and no loaded zone is dropped', () => {
  const zones = zoneMemory();
  const load = (i: number): boolean => {
    const apex = `zone-${i}.example`;
    zones.host(name(apex));
    return zones.load(content(apex), [owner(apex, a(i))]);
  };
  enterSpace(zones.space.words, 1);
  let last = 0;
  while (load(last)) last++;
  const countNotLoaded = (): number =>
    Array.from({ length: last }, (_, i) => lookUp(zones, `zone-${i}.example`)).filter(
      (at) => at === 'not loaded',
    ).length;
  const before = countNotLoaded();
  expect([1, 2, 3, 4, 5].map((i) => load(last + i))).toEqual([false, false, false, false, false]);
  expect(countNotLoaded()).toBe(before);
  leaveSpace(zones.space.words, 1);
  expect(load(last)).toBe(true);
});

test('a zone larger than the memory is not loaded, and the loaded ones stay', () => {
  const zones = loaded('example.com', [owner('www.example.com', a(2))]);
  zones.host(name('large.example'));
  const owners = Array.from({ length: 20_000 }, (_, i) => owner(`n${i}.large.example`, a(i)));
  expect(zones.load(content('large.example'), [owner('large.example', a(1)), ...owners])).toBe(false);
  expect(lookUp(zones, 'large.example')).toBe('not loaded');
});

test.each([0, 1, 2000, 40_000, 1e12])(
  'a zone of 40,000 records, %d expected, is built in the smallest block that holds it',
  (expectedRecords) => {
    const zones = zoneMemory(2 ** 24);
    const former = zones.usedBytes;
    zones.host(name('large.example'));
    const parts = Array.from({ length: 40_000 }, (_, i) => owner(`n${i}.large.example`, a(i))).values();
    const { soa, ...zone } = content('large.example');
    let isSoaPut = false;
    const nextPart = (): ZonePart | undefined => {
      const part = parts.next();
      if (part.done !== true) return part.value;
      if (isSoaPut) return undefined;
      isSoaPut = true;
      return { soa };
    };
    const steps = zones.loading({ ...zone, expectedRecords }, nextPart);
    for (let i = 0; steps.next().done !== true; i++)
      if (i % 1000 === 0) expect(lookUp(zones, 'n1.large.example')).toBe('not loaded');
    for (let i = 0; i < 40_000; i += 97) expect(lookUp(zones, `n${i}.large.example`)).toBe(i & 255);
    expect(zones.usedBytes - former).toBe(2 ** 22);
  },
);

test('a load that is abandoned after any number of steps frees its memory', () => {
  const zones = zoneMemory(2 ** 24);
  zones.host(name('large.example'));
  const former = zones.usedBytes;
  const owners = Array.from({ length: 20_000 }, (_, i) => owner(`n${i}.large.example`, a(i)));
  for (let steps = 1; steps < 25_000; steps += 811) {
    const parts = owners.values();
    const zone = { ...content('large.example'), expectedRecords: 20_000 };
    const load = zones.loading(zone, () => parts.next().value);
    for (let i = 0; i < steps; i++) load.next();
    load.return(false);
    zones.drop(name('large.example'));
  }
  // Allocating the next block frees the retired ones.
  zones.host(name('small.example'));
  zones.load(content('small.example'), [owner('small.example', a(1))]);
  expect(zones.usedBytes - former).toBe(1024);
});

test('names of many labels are found after loading a zone and after changing it', () => {
  const deep = `${'a.'.repeat(100)}example.com`;
  const zones = loaded('example.com', [owner(deep, a(2))]);
  expect(lookUp(zones, deep)).toBe(2);
  const deeper = `${'b.'.repeat(110)}example.com`;
  expect(zones.update(content('example.com', 2), [owner(deeper, a(3))])).toBe(true);
  expect([lookUp(zones, deeper), lookUp(zones, `b.${deep.slice(2)}`)]).toEqual([3, 'absent']);
  expect(zones.usedBytes).toBeLessThan(200_000);
});

test('a zone that outgrows the memory by an update is no longer loaded, and never stale', () => {
  const zones = loaded('example.com', []);
  let fits = true;
  for (let i = 0; fits; i++) {
    fits = zones.update(content('example.com', i + 2), [owner(`n${i}.example.com`, a(i))]);
    expect(lookUp(zones, `n${i}.example.com`)).toBe(fits ? i & 255 : 'not loaded');
    expect(zones.loadedZones).toBe(fits ? 1 : 0);
  }
});

const labels = fc.constantFrom('a', 'b', '*', 'c');
const change = fc.record({
  path: fc.array(labels, { maxLength: 4 }),
  value: fc.option(fc.integer({ min: 2, max: 250 }), { nil: undefined }),
});

test('after any changes, every name and empty non-terminal is found as in a plain map', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { maxLength: 40 }), (batches) => {
      const zones = loaded('example', []);
      const expected = new Map<string, number>([['example', 1]]);
      batches.forEach((batch, i) => {
        const owners = new Map<string, OwnerSets>();
        for (const { path, value } of batch) {
          const text = [...path, 'example'].join('.');
          const isApex = path.length === 0;
          if (value === undefined && !isApex) expected.delete(text);
          else expected.set(text, value ?? 1);
          owners.set(text, value === undefined && !isApex ? owner(text) : owner(text, a(value ?? 1)));
        }
        expect(zones.update(content('example', i + 2), [...owners.values()])).toBe(true);
      });
      const every = ['a', 'b', '*', 'c'].flatMap((x) => [
        x,
        ...['a', 'b', '*', 'c'].flatMap((y) => [`${y}.${x}`, `a.${y}.${x}`, `b.a.${y}.${x}`]),
      ]);
      for (const relative of every) {
        const text = `${relative}.example`;
        const below = [...expected.keys()].some((key) => key.endsWith(`.${text}`));
        expect([text, lookUp(zones, text)]).toEqual([text, expected.get(text) ?? (below ? -1 : 'absent')]);
      }
      expect(zones.findLoaded(name('example'))?.serial).toBe(batches.length === 0 ? 1 : batches.length + 1);
    }),
    { numRuns: 60 },
  );
});

test('names that come and go do not fill the directory', () => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 12345));
  const most = maxHostedNames(2 ** 20);
  const text = (at: number) => `d${at}.example`;
  zones.reserve(most);
  expect(zones.hostAll(Array.from({ length: most }, (_, at) => text(at)))).toBe(0);
  for (let at = 0; at < 3 * most; at++) {
    zones.forget(name(text(at)));
    expect(zones.host(name(text(at + most)))).toBe(true);
  }
  expect(zones.hostedNames).toBe(most);
  for (let at = 3 * most; at < 4 * most; at++) expect(zones.isHosted(name(text(at)))).toBe(true);
  expect(zones.isHosted(name(text(0)))).toBe(false);
});

test('of names that are hosted at once, each counts once and is found', () => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 12345));
  const names = Array.from({ length: 5000 }, (_, at) => `d${at}.example`);
  zones.reserve(names.length);
  expect(zones.hostAll(names.slice(0, 3000))).toBe(0);
  expect(zones.hostAll(names.slice(2000))).toBe(0);
  expect(zones.hostedNames).toBe(names.length);
  expect(names.filter((text) => !zones.isHosted(name(text)))).toEqual([]);
  expect(zones.isHosted(name('d5000.example'))).toBe(false);
  expect(zones.isHosted(name('example'))).toBe(false);
});

test('a space that is enlarged for its names has room for all of them, and for zones', () => {
  const most = maxHostedNames(2 ** 20);
  expect(spaceSize(2 ** 20, most)).toBe(2 ** 20);
  const names = 5 * most;
  const zones = new ZoneMemory(createZoneSpace(spaceSize(2 ** 20, names), 1, 12345));
  zones.reserve(names);
  expect(zones.hostAll(Array.from({ length: names }, (_, at) => `d${at}.example`))).toBe(0);
  expect(zones.hostedNames).toBe(names);
});

test('a name for which the directory has no room is refused, and the others stay', () => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 12345));
  const names = Array.from({ length: 100_000 }, (_, at) => `d${at}.example`);
  const refused = zones.hostAll(names);
  expect(refused).toBeGreaterThan(0);
  expect(zones.hostedNames).toBe(names.length - refused);
  expect(zones.hostedNames).toBeGreaterThanOrEqual(maxHostedNames(2 ** 20) - 1);
  expect(zones.isHosted(name(names[0]))).toBe(true);
});
