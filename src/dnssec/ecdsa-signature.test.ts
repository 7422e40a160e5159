import { sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { derEcdsaSignature, plainEcdsaSignature } from './ecdsa-signature.ts';
import { newKeyPair } from './key-pair.test-support.ts';

/** A number of so many octets that ends with `tail`. */
function number(octets: number, ...tail: readonly number[]): readonly number[] {
  return [...Array.from({ length: octets - tail.length }, () => 0), ...tail];
}

/** The DER of an INTEGER: as few octets as possible, and a zero before a set first bit. */
function derInteger(octets: readonly number[]): readonly number[] {
  const first = octets.findIndex((octet) => octet !== 0);
  const digits = first === -1 ? [0] : octets.slice(first);
  const content = digits[0] > 0x7f ? [0, ...digits] : digits;
  return [0x02, content.length, ...content];
}

test.each([32, 48])(
  'numbers of %i octets are converted in both directions, whatever they begin with',
  (octets) => {
    const digits = Array.from({ length: octets - 1 }, (_, at) => at + 1);
    const numbers = [
      number(octets),
      number(octets, 1),
      number(octets, 0x80, 0),
      number(octets, 0x7f, 0, 0xff),
      number(octets, ...digits),
      [0x7f, ...digits],
      [0x80, ...digits],
      Array.from({ length: octets }, () => 0xff),
    ];
    for (const r of numbers) {
      for (const s of numbers) {
        const content = [...derInteger(r), ...derInteger(s)];
        const der = Uint8Array.from([0x30, content.length, ...content]);
        const plain = Uint8Array.from([...r, ...s]);
        expect(plainEcdsaSignature(der, octets)).toEqual(plain);
        expect(derEcdsaSignature(plain)).toEqual(der);
      }
    }
  },
);

test.each([
  ['P-256', 32],
  ['P-384', 48],
])('OpenSSL verifies what is converted, with %s', (namedCurve, octets) => {
  const { privateKey, publicKey } = newKeyPair('ec', { namedCurve });
  const data = Buffer.from('signed data');
  const plain = plainEcdsaSignature(sign('sha256', data, privateKey), octets);
  expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, plain)).toBe(true);
  expect(verify('sha256', data, publicKey, derEcdsaSignature(plain))).toBe(true);
});
