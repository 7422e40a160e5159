/**
 * The regexp of a NAPTR record: empty, or `!expression!replacement!` with an optional `i` (RFC 3402 section 3.2), in a
 * character-string. The expression is only scanned for its groups, never run.
 */
import type { FieldCodec } from '../field-codec.ts';
import { characterString } from './character-string.ts';

const BACKSLASH = 0x5c;
const OPEN = 0x28;
const IGNORE_CASE = 0x69;
const ZERO = 0x30;
const NINE = 0x39;

export const substitutionExpression: FieldCodec = {
  kind: 'substitution expression',
  expects: 'empty, or a substitution such as "!^.*$!sip:info@example.com!"',
  parse: (tokens, wire) => characterString.parse(tokens, wire),
  check(wire) {
    const octets = wire.take(wire.u8());
    return wire.failed || octets.length === 0 ? undefined : checkSubstitution(octets);
  },
  format: (wire) => characterString.format(wire),
};

function checkSubstitution(octets: Uint8Array): string | undefined {
  const [delimiter] = octets;
  if (isDigit(delimiter) || delimiter === BACKSLASH || delimiter === IGNORE_CASE) {
    return 'must not begin with a digit, a backslash or i: its first character is the delimiter';
  }
  if (octets.includes(0)) return 'must not contain the octet 0';
  let part = 0; // 0 expression, 1 replacement, 2 flags
  let groups = 0;
  let highestReference = 0;
  for (let at = 1; at < octets.length; at++) {
    const octet = octets[at];
    if (octet === delimiter) part++;
    else if (part === 2 && octet !== IGNORE_CASE) return 'must not have flags other than i';
    else if (octet === BACKSLASH) {
      const escaped = octets[++at];
      if (part === 1 && escaped === ZERO) return 'must not refer to group 0';
      if (part === 1 && isDigit(escaped)) highestReference = Math.max(highestReference, escaped - ZERO);
    } else if (part === 0 && octet === OPEN) groups++;
  }
  if (part !== 2) return 'must have its delimiter three times';
  return highestReference > groups ? `refers to group ${highestReference}, but has ${groups}` : undefined;
}

function isDigit(octet: number): boolean {
  return octet >= ZERO && octet <= NINE;
}
