import { expect, test } from 'vitest';
import { findLine } from './import-source.ts';

test.each([
  [1, 'one'],
  [2, 'two'],
  [3, ''],
  [4, 'four'],
  [9, 'four'],
])('findLine() finds line %i', (line, expected) => {
  const text = 'one\ntwo\n\nfour';
  const { start, end } = findLine(text, line);
  expect(text.slice(start, end)).toBe(expected);
});
