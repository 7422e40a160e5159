import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatBase64 } from '../dns/base64.ts';
import { exportPrivateKey, importPrivateKey, sealZoneKey } from './private-key.ts';
import { openKeySecrets } from './key-secrets.ts';
import { createZoneSigner } from './zone-signer.ts';
import { MAX_PRIVATE_KEY_CHARACTERS, readPrivateKey } from './read-private-key.ts';
import { newKeyPair } from './key-pair.test-support.ts';

function bindFile(algorithm: number | string, privateKey: string, format = 'v1.3'): string {
  return [
    `Private-key-format: ${format}`,
    `Algorithm: ${algorithm}`,
    `PrivateKey: ${privateKey}`,
    'Created: 20261123084217',
    '',
  ].join('\n');
}

// RFC 6605 section 6.1 and RFC 8080 section 6.1.
const EXAMPLES = [
  [
    '13 (ECDSAP256SHA256)',
    'GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=',
    'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
  ],
  [
    '15 (ED25519)',
    'ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
    'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
  ],
] as const;

test.each(EXAMPLES)('reads the key of algorithm %s in BIND form, and finds its public key', (...example) => {
  const [algorithm, privateKey, publicKey] = example;
  for (const text of [bindFile(algorithm, privateKey), bindFile(algorithm, privateKey, 'v1.2')]) {
    for (const lines of [text, text.replaceAll('\n', '\r\n')]) {
      const read = readPrivateKey(lines);
      expect(read.ok && read.value.algorithm).toBe(Number.parseInt(algorithm, 10));
      expect(read.ok && formatBase64(read.value.privateKey)).toBe(privateKey);
      expect(read.ok && formatBase64(read.value.publicKey)).toBe(publicKey);
    }
  }
});

test('reads a scalar that was written without its leading zero octets', () => {
  const short = readPrivateKey(bindFile(13, formatBase64(Uint8Array.of(1, 2, 3))));
  const full = readPrivateKey(
    bindFile(13, formatBase64(Uint8Array.of(...Array<number>(29).fill(0), 1, 2, 3))),
  );
  expect(short.ok).toBe(true);
  expect(short).toEqual(full);
});

function generated(kind: 'ed25519' | 'prime256v1' | 'secp384r1'): KeyObject {
  if (kind === 'ed25519') return newKeyPair('ed25519', {}).privateKey;
  return newKeyPair('ec', { namedCurve: kind }).privateKey;
}

test.each([
  ['ed25519', 15, 'pkcs8'],
  ['prime256v1', 13, 'pkcs8'],
  ['prime256v1', 13, 'sec1'],
] as const)('reads a PEM key of %s as algorithm %i in %s form', (kind, algorithm, type) => {
  const key = generated(kind);
  const pem = key.export({ format: 'pem', type });
  expect(readPrivateKey(String(pem))).toEqual({ ok: true, value: exportPrivateKey(key, algorithm) });
});

const EC = EXAMPLES[0][1];
test.each([
  ['no key', 'hello', 'a file of BIND'],
  ['an unknown version', bindFile(13, EC, 'v2.0'), 'Private-key-format must be v1.3'],
  ['RSA without its numbers', bindFile(8, 'AQAB'), 'no RSA key'],
  ['RSA with SHA-1', bindFile(5, 'AQAB'), 'algorithm must be 13'],
  ['no algorithm', 'Private-key-format: v1.3\n', 'algorithm must be 13'],
  ['no private key', 'Private-key-format: v1.3\nAlgorithm: 13', 'no private key of P-256'],
  ['broken base64', bindFile(15, 'abc'), 'must be base64 of 32 octets'],
  ['a short Ed25519 key', bindFile(15, 'AAAA'), 'must be base64 of 32 octets'],
  ['a long key', bindFile(13, formatBase64(new Uint8Array(33))), 'must be base64 of 32 octets'],
  ['zero', bindFile(13, formatBase64(new Uint8Array(32))), 'no private key of P-256'],
  ['a number above the order', bindFile(13, formatBase64(new Uint8Array(32).fill(255))), 'no private key'],
  ['a text that is too long', 'x'.repeat(MAX_PRIVATE_KEY_CHARACTERS + 1), 'longer than 8192'],
  ['broken PEM', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'without a passphrase'],
  ['another curve', String(generated('secp384r1').export({ format: 'pem', type: 'pkcs8' })), 'must be 13'],
])('refuses %s in words', (_, text, problem) => {
  const read = readPrivateKey(text);
  expect(read.ok ? 'read' : read.problem).toContain(problem);
});

test('refuses a PEM key with a passphrase', () => {
  const options = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  const read = readPrivateKey(String(generated('ed25519').export(options)));
  expect(read.ok ? 'read' : read.problem).toContain('without a passphrase');
});

interface RsaOptions {
  readonly bits?: number;
  readonly exponent?: number;
}

function rsaKey({ bits = 2048, exponent = 65_537 }: RsaOptions = {}): KeyObject {
  return newKeyPair('rsa', { modulusLength: bits, publicExponent: exponent }).privateKey;
}

const rsa = rsaKey();

/** As dnssec-keygen writes it. */
function rsaFile(key: KeyObject, algorithm: string, changed: object = {}): string {
  const numbers = { ...key.export({ format: 'jwk' }), ...changed };
  const fields = {
    ...{ Modulus: numbers.n, PublicExponent: numbers.e, PrivateExponent: numbers.d, Prime1: numbers.p },
    ...{ Prime2: numbers.q, Exponent1: numbers.dp, Exponent2: numbers.dq, Coefficient: numbers.qi },
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${Buffer.from(value ?? '', 'base64url').toString('base64')}`,
  );
  return ['Private-key-format: v1.3', `Algorithm: ${algorithm}`, ...lines, 'Created: 20261123084217'].join(
    '\n',
  );
}

test.each([
  ['BIND, 8', rsaFile(rsa, '8 (RSASHA256)'), 8],
  ['BIND, 10', rsaFile(rsa, '10 (RSASHA512)'), 10],
  ['PKCS #8', String(rsa.export({ format: 'pem', type: 'pkcs8' })), 8],
  ['PKCS #1', String(rsa.export({ format: 'pem', type: 'pkcs1' })), 8],
])('reads an RSA key in the form of %s, and signs with it', (_, text, algorithm) => {
  const read = readPrivateKey(text);
  if (!read.ok) throw new Error(read.problem);
  expect(read.value.algorithm).toBe(algorithm);
  // RFC 3110 section 2: the length of the exponent, the exponent 65537, the modulus.
  expect([...read.value.publicKey.subarray(0, 4)]).toEqual([3, 1, 0, 1]);
  expect(read.value.publicKey).toHaveLength(4 + 256);
  const secrets = openKeySecrets(['a secret of the tests, of 32 characters and more']);
  const key = sealZoneKey({ id: 'id', createdAtSeconds: 1, origin: 'imported' }, read.value, secrets);
  const signature = createZoneSigner(secrets).sign(key, Buffer.from('data'));
  expect(signature).toHaveLength(256);
  const hash = algorithm === 10 ? 'sha512' : 'sha256';
  expect(verify(hash, Buffer.from('data'), createPublicKey(rsa), signature)).toBe(true);
  expect(importPrivateKey(read.value).equals(rsa)).toBe(true);
});

test('reads an RSA key with the exponent 3', () => {
  const read = readPrivateKey(rsaFile(rsaKey({ exponent: 3 }), '8'));
  expect(read.ok && [...read.value.publicKey.subarray(0, 2)]).toEqual([1, 3]);
});

test.each([
  ['one of 1,024 bits', () => rsaFile(rsaKey({ bits: 1024 }), '8'), 'has 1024 bits'],
  ['one of 3,072 bits', () => rsaFile(rsaKey({ bits: 3072 }), '8'), 'or better of algorithm 13'],
  ['one without its second prime', () => rsaFile(rsa, '8', { q: '' }), 'no RSA key'],
  ['numbers of two keys', () => rsaFile(rsa, '8', { n: rsaKey().export({ format: 'jwk' }).n }), 'no RSA key'],
  ['another public exponent', () => rsaFile(rsa, '8', { e: 'Aw' }), 'no RSA key'],
])('refuses as RSA key %s', (_, make, problem) => {
  const read = readPrivateKey(make());
  expect(read.ok ? 'read' : read.problem).toContain(problem);
});
