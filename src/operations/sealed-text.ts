// A secret in the store that the store cannot read: sealed under the text of the API key that asked for it, of which
// nothing but a hash is kept. Whoever repeats the request brings that text along. Never keeps a key, never logs.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { RepeatableRequest } from './requester.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Drawn for each text: the same key seals again only where a request is repeated (NIST SP 800-38D section 8.2.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** For whoever repeats the request: base64url of nonce, ciphertext and tag, of a text of 41 octets 92 characters. */
export function sealText(text: string, request: RepeatableRequest): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(request), nonce, { authTagLength: TAG_BYTES });
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** Undefined: it was sealed for another request or API key, or is not as it was sealed. */
export function openSealedText(sealed: string, request: RepeatableRequest): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(-TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, sealingKey(request), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/**
 * HKDF (RFC 5869), without a salt: the API key's 190 random bits need none (section 3.1). One key a request; its
 * context has at most 346 octets of the 1024 that Node takes.
 */
function sealingKey({ bearerText, key, hash }: RepeatableRequest): Uint8Array {
  const context = `zonewright sealed text 1 ${hash} ${key}`;
  return new Uint8Array(hkdfSync('sha256', bearerText(), '', context, KEY_BYTES));
}
