/**
 * Character-strings (RFC 1035 section 3.3): reads and writes their text with escapes, and splits long content into
 * strings of 255 octets.
 */
import type { ByteWriter } from '../base/byte-writer.ts';
import { decimalEscape, escapedOctet, escapeLength } from './escape.ts';

/** The length octet allows no more. */
export const MAX_CHARACTER_STRING_OCTETS = 255;

const utf8 = new TextEncoder();

/**
 * Splits content into character-strings of 255 octets, the last one shorter; empty content becomes one empty string.
 */
export function encodeCharacterStrings(content: Uint8Array): Uint8Array {
  const strings = Math.max(1, Math.ceil(content.length / MAX_CHARACTER_STRING_OCTETS));
  const rdata = new Uint8Array(content.length + strings);
  for (let string = 0; string < strings; string++) {
    const from = string * MAX_CHARACTER_STRING_OCTETS;
    const piece = content.subarray(from, from + MAX_CHARACTER_STRING_OCTETS);
    rdata[from + string] = piece.length;
    rdata.set(piece, from + string + 1);
  }
  return rdata;
}

/** Joins the content of well-formed consecutive character-strings. */
export function decodeCharacterStrings(rdata: Uint8Array): Uint8Array {
  const content = new Uint8Array(rdata.length);
  let length = 0;
  for (let at = 0; at < rdata.length; at += 1 + rdata[at]) {
    const piece = rdata.subarray(at + 1, at + 1 + rdata[at]);
    content.set(piece, length);
    length += piece.length;
  }
  return content.slice(0, length);
}

/** Appends the octets of a token's text: escapes are decoded, and characters beyond ASCII become UTF-8. */
export function writeSpelledOctets(text: string, wire: ByteWriter): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      wire.u8(escapedOctet(text, at)); // the tokenizer rejects broken escapes
      at += escapeLength(text, at) - 1;
    } else if (code < 0x80) wire.u8(code);
    else {
      // Encodes a whole run: a call costs the same for one character as for a hundred.
      const start = at;
      while (text.charCodeAt(at + 1) >= 0x80) at++;
      wire.bytes(utf8.encode(text.slice(start, at + 1)));
    }
  }
}

/** The presentation of each octet inside quotes. */
const quotedText: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  if (octet < 0x20 || octet > 0x7e) return decimalEscape(octet);
  const character = String.fromCharCode(octet);
  return character === '"' || character === '\\' ? `\\${character}` : character;
});

/** Formats the octets as a quoted string of the zone-file format, ASCII only. */
export function formatQuoted(octets: Uint8Array): string {
  let text = '"';
  for (const octet of octets) text += quotedText[octet];
  return `${text}"`;
}
