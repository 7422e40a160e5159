import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

function fillHeap(): number {
  const items = Array.from({ length: 2_000_000 }, (_, i) => ({ text: `item ${i}` }));
  expect(items).toHaveLength(2_000_000);
  return getHeapStatistics().total_heap_size;
}

test('the memory of finished work is given back', () => {
  const before = fillHeap();
  collectGarbage();
  expect(getHeapStatistics().total_heap_size).toBeLessThan(before - 64 * 2 ** 20);
});
