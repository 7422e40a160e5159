import { expect, test } from 'vitest';
import { laterSerial, nextSerial, serialLead } from './serial.ts';

const MAX = 2 ** 32 - 1;

test.each([
  [0, 1],
  [MAX - 1, MAX],
  [MAX, 0],
  [2 ** 31 - 1, 2 ** 31],
])('after %i comes %i', (serial, next) => {
  expect(nextSerial(serial)).toBe(next);
  expect(laterSerial(serial, next)).toBe(next);
  expect(laterSerial(next, serial)).toBe(next);
  expect([serialLead(next, serial), serialLead(serial, next)]).toEqual([1, -1]);
});

test('a lead of more than 2^31 is negative (RFC 1982 section 3.2)', () => {
  expect(laterSerial(10, 10 + 2 ** 31 + 1)).toBe(10);
});
