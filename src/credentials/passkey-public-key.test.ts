import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findPublicKeyProblem } from './passkey-public-key.ts';
import { encodeBytes, encodeInteger, encodeMap } from './software-authenticator.test-support.ts';

const USUAL_EXPONENT = '010001';

function rsaKey(bits: number, exponent: string): Uint8Array<ArrayBuffer> {
  const modulus = randomBytes(bits / 8);
  modulus[0] |= 0x80;
  const members = [
    [encodeInteger(1), encodeInteger(3)],
    [encodeInteger(3), encodeInteger(-257)],
    [encodeInteger(-1), encodeBytes(modulus)],
    [encodeInteger(-2), encodeBytes(Buffer.from(exponent, 'hex'))],
  ] as const;
  return new Uint8Array(encodeMap(members));
}

test.each([
  [2048, USUAL_EXPONENT, true],
  [4096, USUAL_EXPONENT, true],
  [1024, USUAL_EXPONENT, false],
  [4160, USUAL_EXPONENT, false],
  [2048, `80${'00'.repeat(254)}01`, false],
])('an RSA key of %i bits with the exponent %s: %s', (bits, exponent, isFine) => {
  expect(findPublicKeyProblem(rsaKey(bits, exponent)) === undefined).toBe(isFine);
});

test('what is not a key is refused', () => {
  for (const octets of [[], [0xa0], [0xf6], [0xff]])
    expect(findPublicKeyProblem(new Uint8Array(octets))).toMatch(/not a point/);
});
