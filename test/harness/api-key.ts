import { randomInt } from 'node:crypto';

/*
 * API keys as specified, implemented a second time on purpose: tests check the service's keys against this module and
 * not against the service's own code.
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** Creates a well-formed key: `zw_`, 32 random characters, and six that encode the CRC-32 of everything before. */
export function newApiKey(): string {
  let text = 'zw_';
  for (let i = 0; i < RANDOM_CHARACTERS; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text + keyChecksum(text);
}

/** Encodes the checksum in base 62, most significant digit first, padded with `0`. */
export function keyChecksum(text: string): string {
  let rest = crc32(Buffer.from(text, 'latin1'));
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** CRC-32 as in zlib (reflected, polynomial 0xEDB88320), bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
