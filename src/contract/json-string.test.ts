import { expect, test } from 'vitest';
import fc from 'fast-check';
import { jsonString } from './json-string.ts';

test('jsonString() returns the same as JSON.stringify()', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(jsonString(text)).toBe(JSON.stringify(text));
    }),
  );
  for (const text of ['', 'www', '"a"', 'a\\b', '\u0000', '\u2028', '\ud800', '😀', '\u007f']) {
    expect(jsonString(text)).toBe(JSON.stringify(text));
  }
});
