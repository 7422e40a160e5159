// Encrypts a secret so that the store can keep it but not read it. The encryption key is derived from the text of the
// requesting API key, of which the store has only a hash; a client that repeats the request sends that text again. Never
// stores or logs a key.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { RepeatableRequest } from './requester.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Random for each text; the same key is used again only if a request is repeated (NIST SP 800-38D section 8.2.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns base64url of nonce, ciphertext and tag: 92 characters for a text of 41 octets. */
export function sealText(text: string, request: RepeatableRequest): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(request), nonce, { authTagLength: TAG_BYTES });
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** Returns undefined if the text was sealed for another request or API key, or was altered. */
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
 * Derives the key of one request with HKDF (RFC 5869). No salt is needed, because the API key has 190 random bits (section
 * 3.1). The context has at most 346 of the 1024 octets that Node allows.
 */
function sealingKey({ bearerText, key, hash }: RepeatableRequest): Uint8Array {
  const context = `zonewright sealed text 1 ${hash} ${key}`;
  return new Uint8Array(hkdfSync('sha256', bearerText(), '', context, KEY_BYTES));
}
