import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRdata } from './rdata/rdata.ts';
import { rrType } from './codes.ts';
import { formatRecordType, isDataType } from './type-mnemonic.ts';
import { encodeTypeBitmap, maxTypeBitmapOctets } from './type-bitmap-octets.ts';

const ROOT_OCTETS = 1;

/** The types of an NSEC record with this bitmap. */
function readTypes(bitmap: Uint8Array): string {
  const rdata = new Uint8Array(ROOT_OCTETS + bitmap.length);
  rdata.set(bitmap, ROOT_OCTETS);
  return formatRdata(rrType.NSEC, rdata);
}

test('encodeTypeBitmap() gives the octets of the example in RFC 4034 section 4.3', () => {
  const types = [1234, rrType.NSEC, rrType.RRSIG, rrType.MX, rrType.A];
  const expected = `0006400100000003041b${'00'.repeat(26)}20`;
  expect(Buffer.from(encodeTypeBitmap(types)).toString('hex')).toBe(expected);
});

test('a bitmap reads as its types in ascending order', () => {
  const dataType = fc.integer({ min: 1, max: 0xffff }).filter(isDataType);
  fc.assert(
    fc.property(fc.array(dataType, { maxLength: 12 }), (types) => {
      const bitmap = encodeTypeBitmap(types);
      const distinct = [...new Set(types)].sort((a, b) => a - b);
      expect(bitmap.length).toBeLessThanOrEqual(maxTypeBitmapOctets(distinct.length));
      expect(readTypes(bitmap)).toBe(['.', ...distinct.map(formatRecordType)].join(' '));
    }),
  );
});
