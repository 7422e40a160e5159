import { expect, test } from 'vitest';
import { interleave } from './interleave.ts';

test.each([
  ['', ''],
  ['a1', 'a1'],
  ['a1 a2 a3 b1 c1 c2', 'a1 b1 c1 a2 c2 a3'],
  ['a1 b1 a2 b2 a3', 'a1 b1 a2 b2 a3'],
])('%s is taken in rounds: %s', (items, expected) => {
  const list = items === '' ? [] : items.split(' ');
  expect(interleave(list, (item) => item.slice(0, 1)).join(' ')).toBe(expected);
});
