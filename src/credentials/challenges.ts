/**
 * Challenges that passkeys sign. They are not stored: a challenge carries its own expiry, and a code that only the service can
 * make binds it to its purpose. So asking for one costs no row. The caller that accepts one remembers it until it expires.
 *
 *     expiry (6 octets) │ random (16) │ HMAC-SHA-256 of purpose, expiry and random (32)
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { assert } from '../base/assert.ts';
import type { UsedChallenge } from '../model/user-factors.ts';

/** A person takes up to some minutes to find a security key and its PIN (WebAuthn level 3 section 15.1). */
export const CHALLENGE_SECONDS = 300;

const EXPIRY_OCTETS = 6;
/** WebAuthn level 3 section 13.4.3 wants 16 at least. */
const RANDOM_OCTETS = 16;
const CODE_OCTETS = 32;
const KEY_OCTETS = 32;

const FORM = /^[A-Za-z0-9_-]{72}$/;

export interface Challenges {
  /**
   * Returns 72 characters of base64url.
   *
   * @param purpose what is asked for, and by whom
   */
  issue(purpose: string, nowSeconds: number): string;
  /** Returns undefined unless the challenge was issued for this purpose and has not expired. */
  check(challenge: string, purpose: string, nowSeconds: number): UsedChallenge | undefined;
}

/**
 * @param masters the texts of the operator's secrets: the first one issues, and all of them check, so that the secret can be
 *   exchanged. If there are none, challenges are good in this process only.
 */
export function openChallenges(masters: readonly string[]): Challenges {
  const keys = masters.length === 0 ? [randomBytes(KEY_OCTETS)] : masters.map(keyOf);
  return {
    issue(purpose, nowSeconds) {
      const content = Buffer.concat([Buffer.alloc(EXPIRY_OCTETS), randomBytes(RANDOM_OCTETS)]);
      content.writeUIntBE(nowSeconds + CHALLENGE_SECONDS, 0, EXPIRY_OCTETS);
      const [first] = keys;
      return Buffer.concat([content, codeOf(first, purpose, content)]).toString('base64url');
    },
    check(challenge, purpose, nowSeconds) {
      if (!FORM.test(challenge)) return undefined;
      const octets = Buffer.from(challenge, 'base64url');
      assert(octets.length === EXPIRY_OCTETS + RANDOM_OCTETS + CODE_OCTETS, '72 digits are 54 octets');
      const content = octets.subarray(0, -CODE_OCTETS);
      const code = octets.subarray(-CODE_OCTETS);
      if (!keys.some((key) => timingSafeEqual(codeOf(key, purpose, content), code))) return undefined;
      const expiresAtSeconds = content.readUIntBE(0, EXPIRY_OCTETS);
      if (expiresAtSeconds <= nowSeconds) return undefined;
      return { id: content.subarray(EXPIRY_OCTETS).toString('base64url'), expiresAtSeconds };
    },
  };
}

/** HKDF (RFC 5869) without a salt, which secrets of enough entropy do not need (section 3.1). */
function keyOf(master: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', 'zonewright passkey challenges 1', KEY_OCTETS));
}

/** The content has a fixed length, so that no other purpose gives the same octets. */
function codeOf(key: Uint8Array, purpose: string, content: Uint8Array): Buffer {
  return createHmac('sha256', key).update(content).update(purpose).digest();
}
