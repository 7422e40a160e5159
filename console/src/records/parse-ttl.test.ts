import { expect, test } from 'vitest';
import { parseTtl } from './parse-ttl.ts';

test.each([
  ['300', 300],
  ['86,400', 86_400],
  ['86.400', 86_400],
  ['5 min', 300],
  ['5 mins', 300],
  ['1 hr', 3600],
  ['1h30m', 5400],
  ['2 days', 172_800],
  ['0', undefined],
  ['1.5 h', undefined],
  ['1.500 h', undefined],
  ['1,500 h', undefined],
  ['1 500 h', undefined],
  ['1 hr 30 min', 5400],
  ['1,000,000', 1_000_000],
  ['12,34', undefined],
  ['soon', undefined],
  ['2147483648', undefined],
])('%j is %j seconds', (typed, seconds) => expect(parseTtl(typed)).toBe(seconds));
