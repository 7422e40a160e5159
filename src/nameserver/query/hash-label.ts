/** Hashes of names as labels: base 32 with the extended hex alphabet, in lower case (RFC 5155 section 1.3). */

export const HASH_OCTETS = 20;
/** The length octet and 32 characters, each of which stands for five bits. */
export const HASH_LABEL_OCTETS = 1 + (HASH_OCTETS * 8) / 5;

const DIGITS = Uint8Array.from('0123456789abcdefghijklmnopqrstuv', (digit) => digit.charCodeAt(0));
/** Five octets are eight digits, four in each half of them. */
const GROUP_OCTETS = 5;
const GROUP_DIGITS = 8;
const HALF_DIGITS = 4;

/** Writes the label of the hash at `hash[start…]` to `into[at…]`. */
export function writeHashLabel(hash: Uint8Array, start: number, into: Uint8Array, at: number): void {
  into[at] = HASH_LABEL_OCTETS - 1;
  const end = start + HASH_OCTETS;
  let digit = at + 1;
  for (let octet = start; octet < end; octet += GROUP_OCTETS) {
    const middle = hash[octet + 2];
    writeDigits((hash[octet] << 12) | (hash[octet + 1] << 4) | (middle >>> 4), into, digit);
    writeDigits(((middle & 15) << 16) | (hash[octet + 3] << 8) | hash[octet + 4], into, digit + HALF_DIGITS);
    digit += GROUP_DIGITS;
  }
}

/** Writes 20 bits as four digits. */
function writeDigits(bits: number, into: Uint8Array, at: number): void {
  into[at] = DIGITS[bits >>> 15];
  into[at + 1] = DIGITS[(bits >>> 10) & 31];
  into[at + 2] = DIGITS[(bits >>> 5) & 31];
  into[at + 3] = DIGITS[bits & 31];
}
