import { crc32 } from '../base/crc32.ts';

/**
 * The text form of an API key: `zw_`, 32 random characters, six characters of checksum. With the checksum,
 * typing errors and keys of other services are refused without a read from the store, and scanners recognise leaked
 * keys. Neither draws the random characters nor hashes keys: both need `node:crypto`.
 */

/** The digits of base 62, in ascending order of value. */
export const API_KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62^32 is about 2^190: beyond guessing. */
export const API_KEY_RANDOM_CHARACTERS = 32;

const PREFIX = 'zw_';
/** 62^6 > 2^32 > 62^5. */
const CHECKSUM_CHARACTERS = 6;
const SHAPE = /^zw_[0-9A-Za-z]{38}$/;

/** @param random32 32 characters of `API_KEY_ALPHABET`, from a cryptographic source. */
export function formatApiKey(random32: string): string {
  const body = PREFIX + random32;
  return body + apiKeyChecksum(body);
}

/** True if the text has the shape and the checksum of a key. The key need not exist. */
export function isWellFormedApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return apiKeyChecksum(body) === text.slice(-CHECKSUM_CHARACTERS);
}

/** CRC-32 of everything before the checksum, prefix included, in base 62, padded with `0` to six characters. */
export function apiKeyChecksum(body: string): string {
  let rest = crc32(new TextEncoder().encode(body));
  let digits = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place++) {
    digits = API_KEY_ALPHABET.charAt(rest % API_KEY_ALPHABET.length) + digits;
    rest = Math.floor(rest / API_KEY_ALPHABET.length);
  }
  return digits;
}
