/** Checks a type bitmap (RFC 4034 section 4.1.2) against the types that it must list. */
import { formatRecordType } from '../dns/type-mnemonic.ts';

export function checkTypes(subject: string, bitmap: Uint8Array, expected: readonly number[]): string[] {
  const problems: string[] = [];
  const listed: number[] = [];
  let lastWindow = -1;
  for (let at = 0; at < bitmap.length; at += 2 + bitmap[at + 1]) {
    const [window, length] = [bitmap[at], bitmap[at + 1]];
    const bits = bitmap.subarray(at + 2, at + 2 + length);
    if (window <= lastWindow || length === 0 || bits.length !== length || bits.at(-1) === 0) {
      problems.push(`${subject} has a malformed type bitmap`);
    }
    lastWindow = window;
    for (let bit = 0; bit < bits.length * 8; bit++) {
      if ((bits[bit >> 3] & (128 >> (bit % 8))) > 0) listed.push(window * 256 + bit);
    }
  }
  for (const type of expected) {
    if (!listed.includes(type)) problems.push(`${subject} does not list ${formatRecordType(type)}`);
  }
  for (const type of listed) {
    if (!expected.includes(type)) problems.push(`${subject} lists ${formatRecordType(type)}`);
  }
  return problems;
}
