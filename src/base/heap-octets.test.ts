import { expect, test } from 'vitest';
import { heapOctets } from './heap-octets.ts';

test('long text weighs its length, and many short members weigh what holds them', () => {
  expect(heapOctets('x'.repeat(60_000))).toBeGreaterThan(60_000);
  expect(heapOctets(['', ''])).toBe(2 * heapOctets(['']) - heapOctets([]));
  expect(heapOctets(Array.from({ length: 1000 }, () => ''))).toBeGreaterThan(32_000);
});

test('members of objects count at every depth', () => {
  const text = 'x'.repeat(1000);
  expect(heapOctets({ a: [{ b: text }], c: undefined, d: null, e: 1 })).toBeGreaterThan(1000);
  expect(heapOctets({ a: text, b: text })).toBeGreaterThan(2000);
});
