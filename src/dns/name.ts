/**
 * Domain names as values (RFC 1035 section 3.1, RFC 2181 section 11): conversion between presentation text and
 * uncompressed wire form, and the comparisons of RFC 4343 and RFC 4034. Labels may hold any octet; the rules for host
 * and zone names are elsewhere, and so is compression, which belongs to messages.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { clip } from './clip.ts';
import { decimalEscape, escapedOctet, escapeLength } from './escape.ts';

declare const domainName: unique symbol;

/** A domain name in uncompressed wire form (RFC 1035 section 3.1), at most 255 octets, case as given. */
export type DomainName = Uint8Array & { readonly [domainName]: true };

/** RFC 1035 section 2.3.4: the two high bits of a length octet are reserved. */
export const MAX_LABEL_OCTETS = 63;
/** RFC 1035 section 2.3.4, including the length octets and the root label. */
export const MAX_NAME_OCTETS = 255;
/** 255 octets hold 127 labels of one octet each and the root label. */
export const MAX_LABELS = 127;
/** Every octet of the longest name written as `\DDD`, plus a dot. */
export const MAX_NAME_CHARACTERS = MAX_NAME_OCTETS * 4 + 1;

export const rootName = new Uint8Array(1) as DomainName;

/** Matches text that ends in a dot without a backslash before it: the name is absolute. */
export const DOT_AT_END = /(?:^|[^\\])(?:\\\\)*\.$/;

const DOT = 0x2e;
const BACKSLASH = 0x5c;

/**
 * Reads a name in zone-file form (RFC 1035 section 5.1) with `\.` and `\DDD` escapes. With an origin, names without a
 * trailing dot are relative to it and `@` is the origin; without one, every name is absolute.
 */
export function parseDomainName(text: string, origin?: DomainName): Parsed<DomainName> {
  if (text === '') return malformed('the name is empty');
  if (text === '.') return parsed(rootName);
  if (text === '@')
    return origin ? parsed(origin) : malformed('@ stands for the origin, but no origin is known here');
  if (text.length > MAX_NAME_CHARACTERS) return malformed(tooLong());
  // Each character becomes at most one octet; the first length octet and the origin or the root label are added.
  const { length: rest } = origin ?? rootName;
  const wire = new Uint8Array(text.length + 1 + rest);
  let lengthAt = 0;
  let end = 1;
  for (let at = 0; at < text.length; at++) {
    let octet = text.charCodeAt(at);
    if (octet === DOT) {
      const problem = closeLabel(wire, lengthAt, end, text);
      if (problem !== undefined) return malformed(problem);
      lengthAt = end++;
      continue;
    }
    if (octet === BACKSLASH) {
      octet = escapedOctet(text, at);
      if (octet < 0) return malformed(badEscape(text, at));
      at += escapeLength(text, at) - 1;
    } else if (octet <= 0x20 || octet > 0x7e) return malformed(badCharacter(text, at));
    wire[end++] = octet;
  }
  const absolute = end === lengthAt + 1;
  if (!absolute) {
    const problem = closeLabel(wire, lengthAt, end, text);
    if (problem !== undefined) return malformed(problem);
    if (origin && end + rest <= MAX_NAME_OCTETS) wire.set(origin, end);
    end += rest;
  }
  if (end > MAX_NAME_OCTETS) return malformed(tooLong());
  return parsed((end === wire.length ? wire : wire.subarray(0, end)) as DomainName);
}

function closeLabel(wire: Uint8Array, lengthAt: number, end: number, text: string): string | undefined {
  const length = end - lengthAt - 1;
  if (length === 0) return `the name ${clip(text)} has an empty label`;
  if (length > MAX_LABEL_OCTETS) {
    return `a label of the name ${clip(text)} has ${length} octets, the limit is ${MAX_LABEL_OCTETS}`;
  }
  wire[lengthAt] = length;
  return undefined;
}

function tooLong(): string {
  return `the name is longer than ${MAX_NAME_OCTETS} octets`;
}

function badEscape(text: string, at: number): string {
  const place = `the name ${clip(text)} has a broken escape at character ${at + 1}`;
  return `${place}: write \\DDD from \\000 to \\255, or \\ and one character`;
}

function badCharacter(text: string, at: number): string {
  const shown = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return `the name ${clip(text)} has ${shown} at character ${at + 1}: write it as \\DDD or as an A-label`;
}

/**
 * The presentation of each octet in a label: characters that are special in zone files are escaped, unprintable ones
 * are `\DDD`.
 */
const labelText: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  if (octet <= 0x20 || octet > 0x7e) return decimalEscape(octet);
  const character = String.fromCharCode(octet);
  return '."$();@\\'.includes(character) ? `\\${character}` : character;
});

/** Returns the presentation form with a trailing dot; the root is `.`. */
export function formatDomainName(name: DomainName): string {
  if (name[0] === 0) return '.';
  let text = '';
  for (let at = 0; name[at] !== 0 && at < name.length;) {
    const labelEnd = at + 1 + name[at];
    for (at++; at < labelEnd; at++) text += labelText[name[at]];
    text += '.';
  }
  return text;
}

/** Converts A-Z to a-z and nothing else (RFC 4343 section 3). Returns the same object if there are none. */
export function lowerDomainName(name: DomainName): DomainName {
  // Length octets are at most 63, below 'A' (65), so the whole name can be treated as plain octets.
  let first = 0;
  while (first < name.length && lowerOctet(name[first]) === name[first]) first++;
  if (first === name.length) return name;
  const lower = name.slice();
  for (let at = first; at < lower.length; at++) lower[at] = lowerOctet(lower[at]);
  return lower as DomainName;
}

/** Compares names, ignoring the case of ASCII letters (RFC 4343). */
export function equalDomainNames(a: DomainName, b: DomainName): boolean {
  return a.length === b.length && endsAlike(a, b, b.length);
}

/** Returns true if `name` is `ancestor` or below it, ignoring case. */
export function isSubdomain(name: DomainName, ancestor: DomainName): boolean {
  const start = name.length - ancestor.length;
  if (start < 0 || !endsAlike(name, ancestor, ancestor.length)) return false;
  let at = 0;
  while (at < start) at += 1 + name[at];
  return at === start;
}

/**
 * Canonical order (RFC 4034 section 6.1): by label from the root down, octet by octet in lower case; shorter and
 * missing labels sort first. Returns a negative number, 0 or a positive number, as for `sort`.
 */
export function compareDomainNames(a: DomainName, b: DomainName): number {
  const aLabels = labelOffsets(a, aOffsets);
  const bLabels = labelOffsets(b, bOffsets);
  const shared = Math.min(aLabels, bLabels);
  for (let back = 1; back <= shared; back++) {
    const order = compareLabels(a, aOffsets[aLabels - back], b, bOffsets[bLabels - back]);
    if (order !== 0) return order;
  }
  return aLabels - bLabels;
}

/** Number of labels without the root label: 0 for the root, 2 for `example.com.`. */
export function countLabels(name: DomainName): number {
  let labels = 0;
  for (let at = 0; name[at] !== 0 && at < name.length; at += 1 + name[at]) labels++;
  return labels;
}

/** The uncompressed name at `offset` of `wire` (a view), or undefined if there is none. */
export function domainNameAt(wire: Uint8Array, offset: number): DomainName | undefined {
  const length = domainNameLength(wire, offset, wire.length);
  return length < 0 ? undefined : (wire.subarray(offset, offset + length) as DomainName);
}

/** Length of the uncompressed name at `offset`, or -1 if it is incomplete, too long or compressed. */
export function domainNameLength(wire: Uint8Array, offset: number, end: number): number {
  let at = offset;
  while (at < end) {
    const label = wire[at];
    if (label > MAX_LABEL_OCTETS) return -1;
    at += 1 + label;
    if (at - offset > MAX_NAME_OCTETS) return -1;
    if (label === 0) return at - offset;
  }
  return -1;
}

// Scratch memory of compareDomainNames: sorting a zone would otherwise create two arrays per comparison.
const aOffsets = new Uint8Array(MAX_LABELS);
const bOffsets = new Uint8Array(MAX_LABELS);

/** Fills in the offset of each label; returns the number of labels. */
function labelOffsets(name: DomainName, offsets: Uint8Array): number {
  let labels = 0;
  for (let at = 0; name[at] !== 0 && at < name.length; at += 1 + name[at]) offsets[labels++] = at;
  return labels;
}

function compareLabels(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  const shared = Math.min(a[aAt], b[bAt]);
  for (let i = 1; i <= shared; i++) {
    const order = lowerOctet(a[aAt + i]) - lowerOctet(b[bAt + i]);
    if (order !== 0) return order;
  }
  return a[aAt] - b[bAt];
}

function endsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let back = 1; back <= length; back++) {
    if (lowerOctet(a[a.length - back]) !== lowerOctet(b[b.length - back])) return false;
  }
  return true;
}

function lowerOctet(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
