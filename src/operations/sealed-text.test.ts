import { createHash, webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { newApiKey } from './new-api-key.ts';
import { openSealedText, sealText } from './sealed-text.ts';

const bearer = newApiKey();
const secret = newApiKey();
const hash = createHash('sha256').update('request').digest('hex');
const request = { key: 'repeat-1', hash, bearerText: () => bearer };

test('a repeat of the request with the same API key can open the sealed text', () => {
  expect(openSealedText(sealText(secret, request), request)).toBe(secret);
  const longest = { ...request, key: '~'.repeat(255) };
  expect(openSealedText(sealText(secret, longest), longest)).toBe(secret);
});

test('sealing the same text twice gives different results, which do not contain it', () => {
  const sealed = Array.from({ length: 50 }, () => sealText(secret, request));
  expect(new Set(sealed).size).toBe(50);
  expect(new Set(sealed.map((text) => text.slice(0, 16))).size).toBe(50);
  for (const text of sealed) expect(Buffer.from(text, 'base64url').includes(secret.slice(3, 11))).toBe(false);
});

test.each([
  ['another API key', { bearerText: newApiKey }],
  ['the hash of that API key, which the store holds', { bearerText: () => sha256(bearer) }],
  ['another idempotency key', { key: 'repeat-2' }],
  ['another request', { hash: sha256('other') }],
])('%s cannot open a sealed text', (_, other) => {
  expect(openSealedText(sealText(secret, request), { ...request, ...other })).toBeUndefined();
});

test('an altered sealed text cannot be opened', () => {
  const bytes = Buffer.from(sealText(secret, request), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    expect(openSealedText(changed.toString('base64url'), request), `octet ${at}`).toBeUndefined();
    expect(openSealedText(bytes.subarray(0, at).toString('base64url'), request)).toBeUndefined();
  }
  expect(openSealedText('', request)).toBeUndefined();
});

test('texts are sealed with AES-256-GCM and a key from HKDF-SHA256 (NIST SP 800-38D, RFC 5869)', async () => {
  const { subtle } = webcrypto;
  const bytes = Buffer.from(sealText(secret, request), 'base64url');
  const material = await subtle.importKey('raw', Buffer.from(bearer), 'HKDF', false, ['deriveKey']);
  const info = Buffer.from(`zonewright sealed text 1 ${hash} repeat-1`);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  const aes = { name: 'AES-GCM', length: 256 };
  const key = await subtle.deriveKey(derivation, material, aes, false, ['decrypt']);
  const nonce = { name: 'AES-GCM', iv: bytes.subarray(0, 12), tagLength: 128 };
  const opened = await subtle.decrypt(nonce, key, bytes.subarray(12));
  expect(Buffer.from(opened).toString()).toBe(secret);
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
