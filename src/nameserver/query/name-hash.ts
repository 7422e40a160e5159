/**
 * The hashes of names in NSEC3 chains (RFC 5155 section 5): SHA-1 (RFC 3174) of the lower-case wire form, without salt and
 * iterations (RFC 9276 section 3.1). Written out here because it never allocates; `createHash()` makes garbage for every
 * name and takes longer. SHA-1 only spreads the names: nothing here depends on its strength.
 */

import type { NameScan } from '../../zone/name-scan.ts';
import { readUint32 } from './network-byte-order.ts';

const HASH_OCTETS = 20;
const BLOCK_OCTETS = 64;
const BLOCK_WORDS = 16;
const ROUNDS = 80;
/** A block ends with the length in bits, in its last word as long as that is below 2^32. */
const LENGTH_WORD = 15;
/** Octets after the data: one that marks its end, and eight for the length. */
const TRAILER_OCTETS = 9;
/** The mark, as the first octet of a word. */
const END_MARK = 0x80000000;

export class NameHash {
  /** The hash of the name that was hashed last. */
  readonly octets = new Uint8Array(HASH_OCTETS);
  private readonly schedule = new Int32Array(ROUNDS);
  private readonly state = new Int32Array(HASH_OCTETS / 4);

  /** Hashes the suffix of a name from `label` on: one block for names up to 55 octets, at most five. */
  update(name: NameScan, label: number): void {
    const { schedule, state } = this;
    const start = name.starts[label];
    const length = name.length - start;
    const blocks = Math.ceil((length + TRAILER_OCTETS) / BLOCK_OCTETS);
    state[0] = 0x67452301;
    state[1] = 0xefcdab89;
    state[2] = 0x98badcfe;
    state[3] = 0x10325476;
    state[4] = 0xc3d2e1f0;
    for (let block = 0; block < blocks; block++) {
      fillBlock(schedule, name.bytes, start, length, block * BLOCK_OCTETS);
      if (block === blocks - 1) schedule[LENGTH_WORD] = length * 8;
      compress(schedule, state);
    }
    for (let i = 0; i < HASH_OCTETS; i++) this.octets[i] = state[i >> 2] >>> (24 - (i & 3) * 8);
  }
}

/** Reads sixteen words of the padded data, which begins at `start` and has `length` octets without its padding. */
function fillBlock(
  schedule: Int32Array,
  bytes: Uint8Array,
  start: number,
  length: number,
  from: number,
): void {
  const whole = Math.min(BLOCK_WORDS, Math.max(0, (length - from) >> 2));
  for (let word = 0; word < whole; word++) schedule[word] = readUint32(bytes, start + from + word * 4);
  if (whole === BLOCK_WORDS) return;
  // Up to three octets and the one that marks the end, unless the former block ends with it.
  const rest = length - from - whole * 4;
  let value = rest < 0 ? 0 : END_MARK >>> (8 * rest);
  for (let i = 0; i < rest; i++) value |= bytes[start + length - rest + i] << (24 - 8 * i);
  schedule[whole] = value;
  for (let word = whole + 1; word < BLOCK_WORDS; word++) schedule[word] = 0;
}

/** RFC 3174 section 6.1. */
function compress(schedule: Int32Array, state: Int32Array): void {
  for (let i = BLOCK_WORDS; i < ROUNDS; i++) {
    const word = schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16];
    schedule[i] = (word << 1) | (word >>> 31);
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  for (let i = 0; i < ROUNDS; i++) {
    const mixed =
      i < 20
        ? (((b & c) | (~b & d)) + 0x5a827999) | 0
        : i < 40
          ? ((b ^ c ^ d) + 0x6ed9eba1) | 0
          : i < 60
            ? (((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc) | 0
            : ((b ^ c ^ d) + 0xca62c1d6) | 0;
    const next = (((a << 5) | (a >>> 27)) + mixed + e + schedule[i]) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = (state[0] + a) | 0;
  state[1] = (state[1] + b) | 0;
  state[2] = (state[2] + c) | 0;
  state[3] = (state[3] + d) | 0;
  state[4] = (state[4] + e) | 0;
}
