/** Escapes of the zone-file format (RFC 1035 section 5.1): `\DDD` is an octet in decimal, `\X` is X itself. */

const ZERO = 0x30;
const NINE = 0x39;
const LAST_PRINTABLE = 0x7e;

/** Length in characters of the escape at `at` (a backslash): 4 for `\DDD`, otherwise 2. */
export function escapeLength(text: string, at: number): number {
  return isDigit(text.charCodeAt(at + 1)) ? 4 : 2;
}

/**
 * The octet encoded by the escape at `at` (a backslash), or -1 if it is invalid: incomplete, above 255 or not ASCII.
 */
export function escapedOctet(text: string, at: number): number {
  const first = text.charCodeAt(at + 1);
  if (!isDigit(first)) return first >= 0x20 && first <= LAST_PRINTABLE ? first : -1;
  const second = text.charCodeAt(at + 2);
  const third = text.charCodeAt(at + 3);
  if (!isDigit(second) || !isDigit(third)) return -1;
  const octet = (first - ZERO) * 100 + (second - ZERO) * 10 + (third - ZERO);
  return octet <= 0xff ? octet : -1;
}

/** `\007` for 7. */
export function decimalEscape(octet: number): string {
  return `\\${String(octet).padStart(3, '0')}`;
}

/** False for NaN, the code of a character past the end of the text. */
function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
