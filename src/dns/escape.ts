/** Escapes of the master-file format (RFC 1035 section 5.1): `\DDD` is an octet in decimal, `\X` is X itself. */

const ZERO = 0x30;
const NINE = 0x39;
const LAST_PRINTABLE = 0x7e;

/** Characters the escape at `at` (a backslash) takes: 4 for `\DDD`, otherwise 2. */
export function escapeLength(text: string, at: number): number {
  return isDigit(text.charCodeAt(at + 1)) ? 4 : 2;
}

/** The octet that the escape at `at` (a backslash) spells, or -1 when it is none: cut short, above 255, not ASCII. */
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

/** False for NaN, which is what lies past the text's end. */
function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
