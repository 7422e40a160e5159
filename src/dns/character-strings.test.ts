import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCharacterStrings, encodeCharacterStrings } from './character-strings.ts';

test.each([
  [0, [0]],
  [1, [1]],
  [255, [255]],
  [256, [255, 1]],
  [510, [255, 255]],
  [511, [255, 255, 1]],
])('content of %i octets becomes strings of %j', (octets, lengths) => {
  const rdata = encodeCharacterStrings(new Uint8Array(octets).fill(97));
  const found: number[] = [];
  for (let at = 0; at < rdata.length; at += 1 + rdata[at]) found.push(rdata[at]);
  expect(found).toEqual(lengths);
});

test('decoded content is joined', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1100 }), (content) => {
      expect(decodeCharacterStrings(encodeCharacterStrings(content))).toEqual(content);
    }),
  );
});
