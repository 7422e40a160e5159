import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { rrType } from '../dns/codes.ts';
import { OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from './record.ts';
import { isSameContent } from './same-content.ts';

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

test('whatever is put and removed, records are found and measured as by looking at all of them', () => {
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

test('of several records that show alike the one is meant that is not taken and has the same TTL', () => {
  const alike = [1, 2, 3].map((id) => ({ ...recordOf(id, 19 + id, id), data: '"\u{fffd}"' }));
  const owner = new OwnerRecords([...alike]);
  const sent = { ...recordOf(9, 30, 2), data: '"\u{fffd}"', asShown: {} };
  expect(owner.findSame(sent)).toBe(alike[1]);
  expect(owner.findSame(sent, new Set([alike[1].id]))).toBe(alike[0]);
  expect(owner.findSame(sent, new Set(alike.map(({ id }) => id)))).toBe(alike[1]);
  expect(owner.findSame({ ...sent, data: '"x"' })).toBeUndefined();
});
