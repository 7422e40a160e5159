import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';

test('crc32() gives the catalogued check value for "123456789"', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

test('crc32() equals the checksum of zlib', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => crc32(octets) === zlibCrc32(octets)));
});
