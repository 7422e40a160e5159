/**
 * The two forms of an ECDSA signature: in RRSIG records, both numbers follow each other, each with as many octets as those of
 * the curve (RFC 6605 section 4); OpenSSL makes and takes DER (`ECDSA-Sig-Value`, RFC 3279 section 2.2.3). `node:crypto`
 * converts them, too, but takes 30 µs for it from Node 24 on, more than for a signature.
 */

const SEQUENCE = 0x30;
const INTEGER = 0x02;
/** Octets of a tag and a length; all lengths are below 128. */
const HEAD_OCTETS = 2;

/** @param numberOctets of each of the two numbers: 32 with P-256 */
export function plainEcdsaSignature(der: Uint8Array, numberOctets: number): Uint8Array {
  const plain = new Uint8Array(2 * numberOctets);
  const first = 2 * HEAD_OCTETS;
  const firstEnd = first + der[first - 1];
  alignNumber(der, first, firstEnd, plain, numberOctets);
  alignNumber(der, firstEnd + HEAD_OCTETS, der.length, plain, 2 * numberOctets);
  return plain;
}

/** The inverse of `plainEcdsaSignature`, for numbers of up to 61 octets. */
export function derEcdsaSignature(plain: Uint8Array): Uint8Array {
  const middle = plain.length / 2;
  const first = firstDigit(plain, 0, middle);
  const second = firstDigit(plain, middle, plain.length);
  const firstOctets = integerOctets(plain, first, middle);
  const secondOctets = integerOctets(plain, second, plain.length);
  const der = new Uint8Array(3 * HEAD_OCTETS + firstOctets + secondOctets);
  der[0] = SEQUENCE;
  der[1] = der.length - HEAD_OCTETS;
  const firstEnd = 2 * HEAD_OCTETS + firstOctets;
  putInteger(plain.subarray(first, middle), firstOctets, der, HEAD_OCTETS);
  putInteger(plain.subarray(second), secondOctets, der, firstEnd);
  return der;
}

/** DER leaves leading zeros out, and puts one before a bit that would be a sign. */
function alignNumber(der: Uint8Array, start: number, end: number, plain: Uint8Array, plainEnd: number): void {
  const octets = Math.min(end - start, plain.length / 2);
  for (let left = octets; left > 0; left--) plain[plainEnd - left] = der[end - left];
}

/** The place of the first octet that is not zero; the last one of a number that is zero. */
function firstDigit(plain: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end - 1 && plain[at] === 0) at++;
  return at;
}

function integerOctets(plain: Uint8Array, start: number, end: number): number {
  return end - start + (plain[start] > 0x7f ? 1 : 0);
}

function putInteger(digits: Uint8Array, octets: number, der: Uint8Array, at: number): void {
  der[at] = INTEGER;
  der[at + 1] = octets;
  der.set(digits, at + HEAD_OCTETS + octets - digits.length);
}
