import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatedPrefix } from '../../model/generated-row.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { GeneratedRows, type GeneratedReader } from './generated-rows.ts';
import { findPlace } from './sorted-ids.ts';
import { generatedRow } from './zone-rows.ts';

const prefix = generatedPrefix.hashedName;

function rowOf(number: number): DomainRecord {
  const label = String(number).padStart(6, '0');
  return generatedRow(`${prefix}${label}`, label as OwnerKey, 201, new Uint8Array([number & 0xff]));
}

/** Reads as an index of a database does. */
function readSorted(rows: readonly DomainRecord[]): GeneratedReader {
  const placeOf = (id: string): number => findPlace(rows, (row) => row.id < id);
  return {
    generatedBefore(_, sought, id) {
      const end = placeOf(id);
      return rows.slice(Math.max(0, end - 1), end).find((row) => row.id.startsWith(sought));
    },
    generatedAfter(_, sought, id) {
      const start = placeOf(id);
      const next = rows.slice(start, start + 2).find((row) => row.id > id);
      return next?.id.startsWith(sought) === true ? next : undefined;
    },
    generatedBetween: (_, from, to, limit) =>
      rows.slice(placeOf(from), Math.min(placeOf(to), placeOf(from) + limit)),
  };
}

test('finds the neighbours that the batch leaves, whether all rows are loaded or not', () => {
  const numbers = fc.integer({ min: 0, max: 40 });
  const steps = fc.array(fc.record({ number: numbers, isPut: fc.boolean(), loadsAll: fc.boolean() }));
  fc.assert(
    fc.property(fc.uniqueArray(numbers), steps, (committed, changes) => {
      const stored = committed.toSorted((a, b) => a - b).map(rowOf);
      const rows = new GeneratedRows(1, readSorted(stored), false);
      const expected = new Set(committed);
      changes.forEach(({ number, isPut, loadsAll }, at) => {
        const { id, owner } = rowOf(number);
        if (loadsAll && at > 10) rows.loadAll();
        if (isPut) rows.put(rowOf(number));
        else rows.drop(id, owner);
        if (isPut) expected.add(number);
        else expected.delete(number);
        const inOrder = [...expected].sort((a, b) => a - b);
        const before = inOrder.findLast((other) => other < number);
        const after = inOrder.find((other) => other > number);
        expect(rows.rowBefore(prefix, id)?.id).toBe(before === undefined ? before : rowOf(before).id);
        expect(rows.rowAfter(prefix, id)?.id).toBe(after === undefined ? after : rowOf(after).id);
      });
    }),
  );
});

test('places whose neighbours are learned together have those that are read one by one', () => {
  const numbers = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(fc.uniqueArray(numbers), numbers, numbers, (committed, some, other) => {
      const stored = committed.toSorted((a, b) => a - b).map(rowOf);
      const [first, last] = [Math.min(some, other), Math.max(some, other)];
      const places = Array.from({ length: last - first + 1 }, (_, at) => rowOf(first + at));
      const learned = new GeneratedRows(1, readSorted(stored), false);
      const read = new GeneratedRows(1, readSorted(stored), false);
      for (const row of stored) if (places.some(({ id }) => id === row.id)) learned.learn(row);
      learned.learnPlaces(
        prefix,
        places.map(({ id }) => id),
      );
      for (const { id } of places) {
        expect(learned.rowBefore(prefix, id)).toEqual(read.rowBefore(prefix, id));
        expect(learned.rowAfter(prefix, id)).toEqual(read.rowAfter(prefix, id));
      }
    }),
  );
});

test.each([
  { state: 'not loaded', loadsAll: false },
  { state: 'loaded', loadsAll: true },
])(
  'drops tens of thousands of neighbours without passing them again for each one ($state)',
  ({ loadsAll }) => {
    const stored = Array.from({ length: 30_000 }, (_, number) => rowOf(number));
    const rows = new GeneratedRows(1, readSorted(stored), false);
    if (loadsAll) rows.loadAll();
    for (const { id, owner } of stored.slice(1, -1)) {
      rows.drop(id, owner);
      if (rows.rowBefore(prefix, id) !== stored[0]) throw new Error(`wrong row before ${id}`);
    }
    for (const { id } of stored.slice(1, -1)) {
      if (rows.rowAfter(prefix, id) !== stored.at(-1)) throw new Error(`wrong row after ${id}`);
    }
  },
);

test('adds tens of thousands of rows, each next to a committed one', () => {
  const stored = Array.from({ length: 20_000 }, (_, number) => rowOf(2 * number));
  const rows = new GeneratedRows(1, readSorted(stored), false);
  for (const row of stored) {
    const added = { ...row, id: `${row.id}x` };
    rows.put(added);
    rows.put({ ...row, rdata: new Uint8Array([1]) });
    if (rows.rowBefore(prefix, added.id)?.id !== row.id) throw new Error(`wrong row before ${added.id}`);
  }
});
