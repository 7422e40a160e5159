import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedIds } from './sorted-ids.ts';

const ids = fc.array(
  fc.integer({ min: 0, max: 3000 }).map((number) => `~h${String(number).padStart(4, '0')}`),
  { maxLength: 3000, size: 'max' },
);

test('has the neighbours of a sorted array after any additions and deletions', () => {
  fc.assert(
    fc.property(
      ids.map((list) => [...new Set(list)]),
      ids,
      (first, steps) => {
        const sorted = new SortedIds(first);
        const expected = new Set(first);
        steps.forEach((id, at) => {
          const isAdded = at % 3 < 2;
          if (isAdded) sorted.add(id);
          else sorted.delete(id);
          if (isAdded) expected.add(id);
          else expected.delete(id);
        });
        const inOrder = [...expected].sort();
        for (const id of steps.slice(0, 50)) {
          expect(sorted.before(id)).toBe(inOrder.findLast((other) => other < id));
          expect(sorted.after(id)).toBe(inOrder.find((other) => other > id));
        }
      },
    ),
    { numRuns: 20 },
  );
});

test.each([{ way: 'up' }, { way: 'down' }])(
  'splits blocks of ids that are added one after the other ($way)',
  ({ way }) => {
    const all = Array.from({ length: 5000 }, (_, number) => `~s!${String(number).padStart(5, '0')}`);
    const sorted = new SortedIds([]);
    for (const id of way === 'up' ? all : all.toReversed()) sorted.add(id);
    const found: string[] = [];
    for (let id = sorted.after('~'); id !== undefined; id = sorted.after(id)) found.push(id);
    expect(found).toEqual(all);
    for (const id of all) sorted.delete(id);
    expect([sorted.after('~'), sorted.before('~~')]).toEqual([undefined, undefined]);
  },
);
