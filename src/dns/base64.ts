/**
 * Base64 with padding (RFC 4648 section 4) and base32hex without padding (section 7). Strict: left-over bits must be
 * zero.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32HEX_DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** Padding is required; white space is rejected. */
export function parseBase64(text: string): Parsed<Uint8Array> {
  if (text.length % 4 !== 0) return malformed(`${text.length} characters are not a multiple of 4`);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return decodeDigits(text.slice(0, text.length - padding), 6, BASE64_DIGITS);
}

export function formatBase64(octets: Uint8Array): string {
  const text = encodeDigits(octets, 6, BASE64_DIGITS);
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/** Accepts either case, without padding, as in NSEC3 records (RFC 5155 section 3.3). */
export function parseBase32Hex(text: string): Parsed<Uint8Array> {
  return decodeDigits(text.toLowerCase(), 5, BASE32HEX_DIGITS);
}

/** Returns lower case without padding. */
export function formatBase32Hex(octets: Uint8Array): string {
  return encodeDigits(octets, 5, BASE32HEX_DIGITS);
}

function decodeDigits(text: string, bitsPerDigit: number, digits: string): Parsed<Uint8Array> {
  const octets = new Uint8Array(Math.floor((text.length * bitsPerDigit) / 8));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return malformed(`${JSON.stringify(character)} is not a valid digit`);
    bits = ((bits << bitsPerDigit) | digit) & 0xffff;
    held += bitsPerDigit;
    if (held < 8) continue;
    held -= 8;
    octets[length++] = bits >>> held;
  }
  const leftOver = bits & ((1 << held) - 1);
  return held >= bitsPerDigit || leftOver !== 0 ? malformed('the text is incomplete') : parsed(octets);
}

function encodeDigits(octets: Uint8Array, bitsPerDigit: number, digits: string): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const octet of octets) {
    bits = ((bits << 8) | octet) & 0xffff;
    held += 8;
    while (held >= bitsPerDigit) {
      held -= bitsPerDigit;
      text += digits.charAt((bits >>> held) & ((1 << bitsPerDigit) - 1));
    }
  }
  if (held > 0) text += digits.charAt((bits << (bitsPerDigit - held)) & ((1 << bitsPerDigit) - 1));
  return text;
}
