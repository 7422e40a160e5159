/** Of each of the two numbers of a P-256 signature. */
const NUMBER_OCTETS = 32;

/** Two tags and two lengths, of the sequence and of the first number. */
const FIRST_NUMBER = 4;

/**
 * A P-256 signature as in RRSIG records, both numbers with 32 octets each (RFC 6605 section 4), from the DER that OpenSSL
 * makes (`ECDSA-Sig-Value`, RFC 3279 section 2.2.3). `node:crypto` converts it, too, but takes 30 µs for it from Node 24 on, more than for
 * the signature.
 */
export function plainEcdsaSignature(der: Uint8Array): Uint8Array {
  const plain = new Uint8Array(2 * NUMBER_OCTETS);
  const firstEnd = FIRST_NUMBER + der[FIRST_NUMBER - 1];
  copyNumber(der, FIRST_NUMBER, firstEnd, plain, NUMBER_OCTETS);
  // The tag and the length of the second number.
  copyNumber(der, firstEnd + 2, der.length, plain, 2 * NUMBER_OCTETS);
  return plain;
}

/** Aligns a number to its end: DER leaves leading zeros out, and puts one before a bit that would be a sign. */
function copyNumber(der: Uint8Array, start: number, end: number, plain: Uint8Array, plainEnd: number): void {
  const octets = Math.min(end - start, NUMBER_OCTETS);
  for (let left = octets; left > 0; left--) plain[plainEnd - left] = der[end - left];
}
