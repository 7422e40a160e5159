import { expect, test } from 'vitest';
import { MAX_DNSKEY_CHARACTERS, foreignKey, readDnskey } from './read-dnskey.ts';

// RFC 6605 section 6.1 and RFC 8080 section 6.1.
const P256 = 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
const ED25519 = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=';

/** @param exponent with its length @param modulusOctets all bits of them are set */
function rsaText(exponent: readonly number[], modulusOctets: number): string {
  return Buffer.from([...exponent, ...Array<number>(modulusOctets).fill(255)]).toString('base64');
}

test.each([
  [8, rsaText([3, 1, 0, 1], 128)],
  [8, rsaText([0, 0, 3, 1, 0, 1], 256)],
  [10, rsaText([1, 3], 512)],
])('an RSA key of algorithm %i is read', (algorithm, key) => {
  expect(readDnskey(`256 3 ${algorithm} ${key}`)).toMatchObject({
    ok: true,
    value: { algorithm, flags: 256 },
  });
});

test.each([
  [`257 3 13 ${P256}`, 257, 13, 55648, 9],
  [`  256   3 13 ${P256.slice(0, 40)} ${P256.slice(40)}\n`, 256, 13, 55647, 1],
  [`257 3 ED25519 ${ED25519}`, 257, 15, 3613, 9],
])('%s is read, with its uses', (text, flags, algorithm, tag, uses) => {
  const read = readDnskey(text);
  expect(read).toMatchObject({ ok: true, value: { flags, algorithm } });
  if (!read.ok) return;
  const { dnskey } = read.value;
  expect([...dnskey.subarray(0, 4)]).toEqual([1, flags & 0xff, 3, algorithm]);
  expect(foreignKey(read.value, 'id', 7)).toEqual({
    ...{ id: 'id', algorithm, flags, tag, dnskey, sealed: new Uint8Array(), secretId: '' },
    ...{ createdAtSeconds: 7, uses, origin: 'foreign', rollover: null },
  });
});

test.each([
  ['', 'DNSKEY data is flags, 3, algorithm and key'],
  [`example.com. IN DNSKEY 257 3 13 ${P256}`, 'DNSKEY data is flags, 3, algorithm and key'],
  [`385 3 13 ${P256}`, 'the flags must be 256 or 257'],
  [`257 2 13 ${P256}`, 'protocol'],
  ['257 3 5 AwEAAagA', 'the algorithm must be 13'],
  ['257 3 8 AwEAAagA', 'the RSA key must have 1024 to 4096 bits, and has 16'],
  ['257 3 8 AwEA', 'no exponent and modulus of RSA'],
  ['257 3 8 AA==', 'no exponent and modulus of RSA'],
  [`257 3 8 ${rsaText([3, 1, 0, 1], 513)}`, 'the RSA key must have 1024 to 4096 bits, and has 4104'],
  [`257 3 8 ${rsaText([1, 1], 256)}`, 'must be odd'],
  [`257 3 8 ${rsaText([1, 4], 256)}`, 'must be odd'],
  [`257 3 8 ${rsaText([5, 8, 0, 0, 0, 1], 256)}`, 'more than 35 bits'],
  [`257 3 15 ${P256}`, 'the public key must have 32 octets, and has 64'],
  [`257 3 13 ${ED25519}`, 'the public key must have 64 octets, and has 32'],
  [`257 3 13 ${P256.replace('G', 'H')}`, 'the public key is no point of the curve P-256'],
  [`257 3 13 ${P256} more!`, 'base64'],
  ['2'.repeat(MAX_DNSKEY_CHARACTERS + 1), 'longer than'],
])('%s is refused', (text, problem) => {
  expect(readDnskey(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as string });
});
