/**
 * Converts IPv4 and IPv6 addresses between text and octets. Strict: no octal, short forms, zone identifiers or prefix
 * lengths.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { clip } from './clip.ts';
import { hexDigit } from './hex.ts';

/** Reads four decimal numbers without leading zeros. */
export function parseIpv4(text: string): Parsed<Uint8Array> {
  const address = new Uint8Array(4);
  return readIpv4(text, 0, address, 0) ? parsed(address) : malformed(`${clip(text)} is not an IPv4 address`);
}

export function formatIpv4(address: Uint8Array): string {
  return `${address[0]}.${address[1]}.${address[2]}.${address[3]}`;
}

/** Reads the text forms of RFC 4291 section 2.2, including `::` and an IPv4 tail. */
export function parseIpv6(text: string): Parsed<Uint8Array> {
  const address = new Uint8Array(16);
  return readIpv6(text, address) ? parsed(address) : malformed(`${clip(text)} is not an IPv6 address`);
}

/**
 * Writes the canonical form of RFC 5952: lower case, the first longest run of zeros as `::`, IPv4-mapped addresses in
 * mixed form.
 */
export function formatIpv6(address: Uint8Array): string {
  if (isIpv4Mapped(address)) return `::ffff:${formatIpv4(address.subarray(12))}`;
  const groups = Array.from({ length: 8 }, (_, i) => address[2 * i] * 256 + address[2 * i + 1]);
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** Fills four octets at `at` from the text from `from` to its end. */
function readIpv4(text: string, from: number, address: Uint8Array, at: number): boolean {
  if (text.length - from > '255.255.255.255'.length) return false;
  let value = -1;
  let numbers = 0;
  for (let i = from; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0x2e;
    if (code === 0x2e) {
      if (value < 0 || numbers === 4) return false;
      address[at + numbers++] = value;
      value = -1;
    } else {
      const digit = code - 0x30;
      // Some readers take digits after a leading 0 as octal, others as decimal.
      if (digit < 0 || digit > 9 || value === 0) return false;
      value = value < 0 ? digit : value * 10 + digit;
      if (value > 255) return false;
    }
  }
  return numbers === 4;
}

const COLON = 0x3a;

function readIpv6(text: string, address: Uint8Array): boolean {
  let filled = 0;
  let gapAt = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gapAt = 0;
    at = 2;
  }
  while (at < text.length) {
    const colon = text.indexOf(':', at);
    const end = colon < 0 ? text.length : colon;
    if (colon < 0 && text.includes('.', at)) {
      if (filled > 12 || !readIpv4(text, at, address, filled)) return false;
      filled += 4;
      break;
    }
    const group = hexGroup(text, at, end);
    if (group < 0 || filled === 16) return false;
    address[filled++] = group >>> 8;
    address[filled++] = group & 0xff;
    if (colon < 0) break;
    at = end + 1;
    if (text.charCodeAt(at) === COLON) {
      if (gapAt >= 0) return false;
      gapAt = filled;
      at++;
    } else if (at === text.length) return false;
  }
  return gapAt < 0 ? filled === 16 : openGap(address, gapAt, filled);
}

/** Moves the groups after `::` to the end of the address. `::` stands for at least one group. */
function openGap(address: Uint8Array, gapAt: number, filled: number): boolean {
  if (filled > 14) return false;
  address.copyWithin(16 - (filled - gapAt), gapAt, filled);
  address.fill(0, gapAt, 16 - (filled - gapAt));
  return true;
}

/** Reads one to four hex digits; returns -1 if there are none. */
function hexGroup(text: string, from: number, end: number): number {
  if (end === from || end - from > 4) return -1;
  let value = 0;
  for (let at = from; at < end; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function isIpv4Mapped(address: Uint8Array): boolean {
  return (
    address[10] === 0xff && address[11] === 0xff && address.subarray(0, 10).every((octet) => octet === 0)
  );
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, i) => {
    if (group !== 0) start = i + 1;
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start };
  });
  return best;
}
