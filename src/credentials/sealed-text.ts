// Texts that a client keeps for the service and cannot read or change, such as the content of a cookie.
//
//     initialisation vector (12 octets) │ AES-256-GCM of the text │ tag (16)
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const KEY_OCTETS = 32;
const VECTOR_OCTETS = 12;
const TAG_OCTETS = 16;

/** As long as a cookie can be (RFC 6265bis section 5.6). */
const MAX_SEALED_CHARACTERS = 4096;

const FORM = /^[A-Za-z0-9_-]+$/;

export interface TextSealer {
  /** Returns base64url. */
  seal(text: string): string;
  /** Returns undefined for what was not sealed by this service, or was changed. */
  open(sealed: string): string | undefined;
}

/**
 * @param secret the operator's; all processes that have it open what one of them has sealed
 * @param purpose sets this use of the secret apart from others
 */
export function openTextSealer(secret: string, purpose: string): TextSealer {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_OCTETS));
  return {
    seal(text) {
      const vector = randomBytes(VECTOR_OCTETS);
      const cipher = createCipheriv('aes-256-gcm', key, vector, { authTagLength: TAG_OCTETS });
      const sealed = [vector, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed).toString('base64url');
    },
    open(sealed) {
      if (sealed.length > MAX_SEALED_CHARACTERS || !FORM.test(sealed)) return undefined;
      const octets = Buffer.from(sealed, 'base64url');
      if (octets.length < VECTOR_OCTETS + TAG_OCTETS) return undefined;
      const vector = octets.subarray(0, VECTOR_OCTETS);
      const decipher = createDecipheriv('aes-256-gcm', key, vector, { authTagLength: TAG_OCTETS });
      decipher.setAuthTag(octets.subarray(-TAG_OCTETS));
      try {
        const text = decipher.update(octets.subarray(VECTOR_OCTETS, -TAG_OCTETS));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
