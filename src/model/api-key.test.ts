import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { API_KEY_ALPHABET, apiKeyChecksum, formatApiKey, isWellFormedApiKey } from './api-key.ts';

const digit = fc.constantFrom(...API_KEY_ALPHABET.split(''));
const random32 = fc.string({
  unit: digit,
  minLength: 32,
  maxLength: 32,
});

/** Base 62 the other way round: text to number. */
function valueOf(digits: string): number {
  return Array.from(digits).reduce((value, digit) => value * 62 + API_KEY_ALPHABET.indexOf(digit), 0);
}

test('formatApiKey() ends in the CRC-32 that zlib computes of all before', () => {
  fc.assert(
    fc.property(random32, (random) => {
      const key = formatApiKey(random);
      expect(key).toMatch(/^zw_[0-9A-Za-z]{38}$/);
      expect(valueOf(key.slice(-6))).toBe(zlibCrc32(`zw_${random}`));
      expect(isWellFormedApiKey(key)).toBe(true);
    }),
  );
});

test('apiKeyChecksum() spells zero and the largest value with six characters', () => {
  expect(valueOf('4gfFC3')).toBe(0xffffffff);
  expect(apiKeyChecksum('')).toBe('000000');
});

test('isWellFormedApiKey() refuses a key with any one character changed', () => {
  fc.assert(
    fc.property(random32, fc.integer({ min: 3, max: 40 }), digit, (random, at, other) => {
      const key = formatApiKey(random);
      fc.pre(key[at] !== other);
      return !isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1));
    }),
  );
});

const good = formatApiKey('0'.repeat(32));

test.each([
  ['nothing', ''],
  ['another prefix', good.replace('zw_', 'zx_')],
  ['a space in front', ` ${good}`],
  ['a line break behind', `${good}\n`],
  ['one character too many', `${good}0`],
  ['one too few', good.slice(0, -1)],
  ['a character outside the alphabet', good.replace('0', '-')],
])('isWellFormedApiKey() refuses %s', (_, text) => {
  expect(isWellFormedApiKey(text)).toBe(false);
});
