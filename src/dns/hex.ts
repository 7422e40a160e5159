/** Hexadecimal text (RFC 4648 section 8). */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** Accepts either case; white space is rejected. */
export function parseHex(text: string): Parsed<Uint8Array> {
  if (text.length % 2 !== 0) return malformed(`there is an odd number of hex digits (${text.length})`);
  const octets = new Uint8Array(text.length / 2);
  for (let i = 0; i < octets.length; i++) {
    const high = hexDigit(text.charCodeAt(2 * i));
    const low = hexDigit(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0)
      return malformed(`${JSON.stringify(text.slice(2 * i, 2 * i + 2))} are not hex digits`);
    octets[i] = high * 16 + low;
  }
  return parsed(octets);
}

const hexText: readonly string[] = Array.from({ length: 256 }, (_, octet) =>
  octet.toString(16).padStart(2, '0'),
);

/** Returns lower case. */
export function formatHex(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += hexText[octet];
  return text;
}

/** Returns 0…15, or -1 if it is not a hex digit. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
