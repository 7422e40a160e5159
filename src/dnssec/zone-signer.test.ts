import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatBase32Hex } from '../dns/base64.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { parseRdata } from '../dns/rdata/rdata.ts';
import { rrType } from '../dns/codes.ts';
import { dsRdata } from './ds-rdata.ts';
import { openKeySecrets } from './key-secrets.ts';
import { createZoneKey, KeyNotOpened } from './private-key.ts';
import { DNSKEY_HEAD_OCTETS, KEY_FLAGS, keyTag, madeAlgorithm, type ZoneKey } from './zone-key.ts';
import { createZoneSigner } from './zone-signer.ts';

const FIRST = 'a secret of more than 32 characters';
const SECOND = 'another secret of more than 32 characters';
const algorithms = Object.values(madeAlgorithm);
const wanted = { id: '0198c0de-0000-7000-8000-000000000001', createdAtSeconds: 1_800_000_000 };

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function rdata(type: number, text: string): Uint8Array {
  const parsed = parseRdata(type, text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** Verifies with the public key in the DNSKEY record. */
function verifies({ algorithm, dnskey }: ZoneKey, data: Uint8Array, signature: Uint8Array): boolean {
  const octets = Buffer.from(dnskey.subarray(DNSKEY_HEAD_OCTETS));
  const jwk: JsonWebKey =
    algorithm === madeAlgorithm.ED25519
      ? { kty: 'OKP', crv: 'Ed25519', x: octets.toString('base64url') }
      : {
          kty: 'EC',
          crv: 'P-256',
          x: octets.subarray(0, 32).toString('base64url'),
          y: octets.subarray(32).toString('base64url'),
        };
  const key = createPublicKey({ format: 'jwk', key: jwk });
  const hash = algorithm === madeAlgorithm.ED25519 ? null : 'sha256';
  return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

test.each(algorithms)('a key of algorithm %i signs what its DNSKEY record verifies', (algorithm) => {
  const secrets = openKeySecrets([FIRST]);
  const key = createZoneKey({ ...wanted, algorithm }, secrets);
  expect(key).toMatchObject({ ...wanted, algorithm, flags: KEY_FLAGS, secretId: secrets.secretId });
  expect([...key.dnskey.subarray(0, DNSKEY_HEAD_OCTETS)]).toEqual([1, 1, 3, algorithm]);
  const data = Buffer.from('signed data');
  const signature = createZoneSigner(secrets).sign(key, data);
  expect(signature).toHaveLength(64);
  expect(verifies(key, data, signature)).toBe(true);
  expect(verifies(key, Buffer.from('other data'), signature)).toBe(false);
});

test.each(algorithms)('a key of algorithm %i opens after the secret was exchanged', (algorithm) => {
  const key = createZoneKey({ ...wanted, algorithm }, openKeySecrets([FIRST]));
  const data = Buffer.from('signed data');
  const signature = createZoneSigner(openKeySecrets([SECOND, FIRST])).sign(key, data);
  expect(verifies(key, data, signature)).toBe(true);
  expect(openKeySecrets([SECOND, FIRST]).secretId).not.toBe(key.secretId);
});

test('a key that no secret opens is refused with its id and that of its secret', () => {
  const key = createZoneKey({ ...wanted, algorithm: 13 }, openKeySecrets([FIRST]));
  const signWith = (masters: string[], altered: ZoneKey): unknown => {
    try {
      return createZoneSigner(openKeySecrets(masters)).sign(altered, key.dnskey);
    } catch (error) {
      return error;
    }
  };
  const expected = { name: 'KeyNotOpened', keyId: key.id, secretId: key.secretId };
  expect(signWith([SECOND], key)).toBeInstanceOf(KeyNotOpened);
  expect(signWith([SECOND], key)).toMatchObject(expected);
  const sealed = key.sealed.slice();
  sealed[20] ^= 1;
  expect(signWith([FIRST], { ...key, sealed })).toMatchObject(expected);
  expect(signWith([FIRST], { ...key, sealed: new Uint8Array(5) })).toMatchObject(expected);
  expect(signWith([FIRST], { ...key, id: '0198c0de-0000-7000-8000-000000000002' })).toBeInstanceOf(
    KeyNotOpened,
  );
  const { dnskey } = createZoneKey({ ...wanted, algorithm: 13 }, openKeySecrets([FIRST]));
  expect(signWith([FIRST], { ...key, dnskey })).toMatchObject(expected);
});

test('hashName() gives SHA-1 of the name in lower case', () => {
  const signer = createZoneSigner(openKeySecrets([FIRST]));
  // The hash is what BIND's `nsec3hash - 1 0 example.com` prints.
  const hash = 'onib9mgub9h0rml3cdf5bgrj59dkjhvk';
  expect(formatBase32Hex(signer.hashName(name('EXAMPLE.com.')))).toBe(hash);
});

// RFC 6605 section 6.1 and RFC 8080 section 6.1.
test.each([
  [
    '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    '55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
  ],
  [
    '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    '3613 15 2 3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
  ],
])('the key %s has the key tag and the DS record of its RFC', (dnskey, ds) => {
  const key = rdata(rrType.DNSKEY, dnskey);
  const expected = rdata(rrType.DS, ds);
  expect(keyTag(key)).toBe(expected[0] * 256 + expected[1]);
  const apex = dnskey.includes(' 13 ') ? 'Example.Net.' : 'Example.Com.';
  expect(dsRdata(name(apex), key)).toEqual(expected);
});
