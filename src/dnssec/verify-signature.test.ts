import { sign, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeRsaKey } from './rsa-public-key.ts';
import { openVerifyingKey, verifySignature } from './verify-signature.ts';
import { newKeyPair } from './key-pair.test-support.ts';

const data = Buffer.from('signed data');

function dnskeyOf(algorithm: number, key: KeyObject, flags = 257, protocol = 3): Uint8Array {
  const jwk = key.export({ format: 'jwk' });
  const curve = Buffer.concat([jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url')));
  const publicKey = jwk.kty === 'RSA' ? encodeRsaKey(jwk) : curve;
  return Uint8Array.from([flags >>> 8, flags & 0xff, protocol, algorithm, ...publicKey]);
}

const rsa = newKeyPair('rsa', { modulusLength: 1024 });

test.each([
  [8, rsa, 'sha256'],
  [10, rsa, 'sha512'],
  [13, newKeyPair('ec', { namedCurve: 'P-256' }), 'sha256'],
  [14, newKeyPair('ec', { namedCurve: 'P-384' }), 'sha384'],
  [15, newKeyPair('ed25519', {}), null],
  [16, newKeyPair('ed448', {}), null],
])('a signature of algorithm %i is verified', async (algorithm, { privateKey, publicKey }, hash) => {
  const signature = sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const key = openVerifyingKey(dnskeyOf(algorithm, publicKey));
  if (key === undefined) throw new Error('the key is usable');
  expect(await verifySignature(key, data, signature)).toBe(true);
  expect(await verifySignature(key, Buffer.from('other data'), signature)).toBe(false);
  expect(await verifySignature(key, data, signature.subarray(1))).toBe(false);
  expect(await verifySignature(key, data, new Uint8Array())).toBe(false);
});

test.each<[string, Uint8Array]>([
  ['another protocol', dnskeyOf(8, rsa.publicKey, 257, 2)],
  ['no zone key', dnskeyOf(8, rsa.publicKey, 1)],
  ['a revoked key', dnskeyOf(8, rsa.publicKey, 385)],
  ['an unknown algorithm', dnskeyOf(5, rsa.publicKey)],
  ['a short key', Uint8Array.of(1, 1, 3, 13, 1, 2)],
  ['no point of the curve', Uint8Array.of(1, 1, 3, 13, ...Array<number>(64).fill(1))],
  ['no key', Uint8Array.of(1, 1, 3)],
])('%s verifies nothing', (_, dnskey) => {
  expect(openVerifyingKey(dnskey)).toBeUndefined();
});
