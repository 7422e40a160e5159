import { expect, test, vi } from 'vitest';
import * as fc from 'fast-check';
import { rrType } from '../dns/codes.ts';
import { OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { isSameContent } from '../model/same-content.ts';

const { A, MX, TXT } = rrType;

/** MX data of one name in several spellings, so that some records are one and the same for DNS. */
const contents: readonly (readonly [type: number, rdata: readonly number[]])[] = [
  ...Array.from({ length: 20 }, (_, at) => [A, [192, 0, 2, at]] as const),
  ...Array.from({ length: 20 }, (_, at) => [TXT, [1, at]] as const),
  ...[0x61, 0x41, 0x62, 0x42].map((letter) => [MX, [0, 10, 1, letter, 0]] as const),
];

function recordOf(id: number, content: number, ttl: number): DomainRecord {
  const [type, rdata] = contents[content];
  const shown = { name: '', data: `shown as ${content % 7}`, priority: -1 };
  const place = { id: String(id).padStart(4, '0'), owner: '' as OwnerKey };
  return { ...place, ...shown, type, ttl, rdata: Uint8Array.from(rdata) };
}

const step = fc.record({
  id: fc.nat(60),
  content: fc.nat(contents.length - 1),
  ttl: fc.nat(1),
  isRemoved: fc.boolean(),
});

test('records are found and measured as by a linear search, after any puts and removals', () => {
  const steps = fc.array(step, { minLength: 40, maxLength: 200 });
  fc.assert(
    fc.property(steps, (taken) => {
      const owner = new OwnerRecords();
      const standing = new Map<string, DomainRecord>();
      for (const { id, content, ttl, isRemoved } of taken) {
        const record = recordOf(id, content, ttl);
        const double = [...standing.values()].find((other) => isSameContent(other, record));
        expect(owner.findSame(record)).toEqual(double);
        if (isRemoved && id % 3 === 0) {
          owner.remove(record);
          standing.delete(record.id);
        } else if (double === undefined || double.id === record.id) {
          owner.put(record);
          standing.set(record.id, record);
        }
        const inOrder = [...standing.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(owner.all).toEqual(inOrder);
        const shown = inOrder.filter(({ type, data }) => type === record.type && data === record.data);
        const asShown = owner.findSame({ ...record, asShown: {} });
        expect(asShown).toEqual(shown.find((other) => other.ttl === record.ttl) ?? shown.at(0));
        expect(new Set(owner.types())).toEqual(new Set(inOrder.map((other) => other.type)));
        for (const type of [A, MX, TXT]) {
          const ofType = inOrder.filter((other) => other.type === type);
          const octets = ofType.reduce((sum, { rdata }) => sum + rdata.length, 0);
          expect(owner.measure(type)).toEqual({ records: ofType.length, octets });
          expect(owner.findOfType(type)?.type).toBe(ofType.at(0)?.type);
          expect(owner.findOfType(type, ofType.at(0)?.id)?.type).toBe(ofType.at(1)?.type);
        }
      }
    }),
  );
});

test.each([3, 300])(
  'of %i records that show alike the one is meant that is not taken and has the same TTL',
  (count) => {
    const alike = Array.from({ length: count }, (_, at) => ({
      ...recordOf(at + 1, 20, at),
      data: '"\u{fffd}"',
    }));
    const taken = new Set<string>();
    const owner = new OwnerRecords([...alike], taken);
    const sent = { ...recordOf(999, 30, 1), data: '"\u{fffd}"', asShown: {} };
    expect(owner.findSame(sent)).toBe(alike[1]);
    taken.add(alike[1].id);
    expect(owner.findSame(sent)).toBe(alike[0]);
    for (const { id } of alike.slice(0, -1)) taken.add(id);
    expect(owner.findSame(sent)).toBe(alike.at(-1));
    for (const { id } of alike) taken.add(id);
    expect(owner.findSame(sent)).toBe(alike[1]);
    owner.remove(alike[1]);
    expect(owner.findSame(sent)).toBe(alike[0]);
    const late = { ...alike[2], id: '0001b' };
    owner.put(late);
    expect(owner.findSame(sent)).toBe(late);
    expect(owner.findSame({ ...sent, data: '"x"' })).toBeUndefined();
  },
);

/** Counts how often it is asked. */
class CountingSet extends Set<string> {
  asked = 0;

  override has(id: string): boolean {
    this.asked++;
    return super.has(id);
  }
}

test('finding the next free record reads each of those shown in the same way only once', () => {
  const data = '"\u{fffd}"';
  const count = 4000;
  const alike = Array.from({ length: count }, (_, at) => ({ ...recordOf(at, 20, at % 3), data }));
  const taken = new CountingSet();
  const owner = new OwnerRecords([...alike], taken);
  for (let sent = 0; sent < 2 * count; sent++) {
    const found = owner.findSame({ ...recordOf(count + sent, 30, sent % 5), data, asShown: {} });
    taken.add(String(found?.id));
  }
  expect(taken.size).toBe(count);
  // Once for all, once for those of a TTL, and at each look the one that is found.
  expect(taken.asked).toBeLessThan(8 * count);
});

test('removing a whole zone of one owner from the front and putting it back moves no records', () => {
  const count = 10_000;
  const records = Array.from({ length: count }, (_, at) => ({
    ...recordOf(at, 0, 60),
    id: String(at).padStart(6, '0'),
    type: 1000 + (at % 100),
    rdata: Uint8Array.of(at >> 8, at),
  }));
  const owner = new OwnerRecords([...records]);
  let moved = 0;
  const { splice } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'splice').mockImplementation(function (this: unknown[], ...taken) {
    moved += this.length - taken[0];
    return splice.apply(this, taken) as unknown[];
  });
  for (const record of records) owner.remove(record);
  expect(owner.all).toEqual([]);
  for (const record of records.toReversed()) owner.put(record);
  spy.mockRestore();
  expect(moved).toBeLessThan(count);
  expect(owner.all).toEqual(records);
  expect(owner.findSame(records[7])).toBe(records[7]);
  expect(owner.measure(1000)).toEqual({ records: 100, octets: 200 });
});
