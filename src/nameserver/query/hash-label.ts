/** Hashes of names as labels: base 32 with the extended hex alphabet, in lower case (RFC 5155 section 1.3). */

export const HASH_OCTETS = 20;
/** The length octet and 32 characters, each of which stands for five bits. */
export const HASH_LABEL_OCTETS = 1 + (HASH_OCTETS * 8) / 5;

const DIGIT_ZERO = 0x30;
const LETTER_A = 0x61;

/** Writes the label of the hash at `hash[start…]` to the beginning of `into`. */
export function writeHashLabel(hash: Uint8Array, start: number, into: Uint8Array): void {
  into[0] = HASH_LABEL_OCTETS - 1;
  let bits = 0;
  let count = 0;
  let at = start;
  for (let i = 1; i < HASH_LABEL_OCTETS; i++) {
    if (count < 5) {
      bits = ((bits << 8) | hash[at++]) & 0xfff;
      count += 8;
    }
    count -= 5;
    const value = (bits >>> count) & 31;
    into[i] = value < 10 ? DIGIT_ZERO + value : LETTER_A + value - 10;
  }
}
