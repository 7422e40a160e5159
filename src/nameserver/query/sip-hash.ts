/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash of short messages that outsiders cannot forge. Uses 32-bit
 * arithmetic, because 64-bit numbers would be garbage-collected bigints; never allocates after construction.
 */

export class SipHash {
  private readonly key = new Int32Array(4);

  /** @param key 16 octets */
  constructor(key: Uint8Array) {
    for (let i = 0; i < 4; i++) this.key[i] = readWord(key, i * 4);
  }

  /**
   * Writes the eight octets of the hash of message[0…length) to target[at…], in transmission order. One function, so
   * that the state stays in registers: v and w are the low and high words of v0…v3.
   */
  hash(message: Uint8Array, length: number, target: Uint8Array, at: number): void {
    const { key } = this;
    let v0 = key[0] ^ 0x70736575;
    let w0 = key[1] ^ 0x736f6d65;
    let v1 = key[2] ^ 0x6e646f6d;
    let w1 = key[3] ^ 0x646f7261;
    let v2 = key[0] ^ 0x6e657261;
    let w2 = key[1] ^ 0x6c796765;
    let v3 = key[2] ^ 0x79746573;
    let w3 = key[3] ^ 0x74656462;
    let low = 0;
    const whole = length & ~7;
    // Whole blocks, then the rest with the length, then the finalisation: four rounds on an empty block.
    for (let i = 0; i <= whole + 8; i += 8) {
      const isEnd = i > whole;
      const m = isEnd ? 0 : readTail(message, i, Math.min(i + 4, length));
      const n = isEnd
        ? 0
        : readTail(message, i + 4, Math.min(i + 8, length)) | (i === whole ? length << 24 : 0);
      v3 ^= m;
      w3 ^= n;
      if (isEnd) v2 ^= 0xff;
      for (let round = isEnd ? 4 : 2; round > 0; round--) {
        // A 64-bit sum carries if the low word's sum is less than one of its operands.
        v0 = (v0 + v1) | 0;
        w0 = (w0 + w1 + (v0 >>> 0 < v1 >>> 0 ? 1 : 0)) | 0;
        low = ((v1 << 13) | (w1 >>> 19)) ^ v0;
        w1 = ((w1 << 13) | (v1 >>> 19)) ^ w0;
        v1 = low;
        v2 = (v2 + v3) | 0;
        w2 = (w2 + w3 + (v2 >>> 0 < v3 >>> 0 ? 1 : 0)) | 0;
        low = ((v3 << 16) | (w3 >>> 16)) ^ v2;
        w3 = ((w3 << 16) | (v3 >>> 16)) ^ w2;
        v3 = low;
        // Rotating v0 by 32 bits swaps its words.
        low = (w0 + v3) | 0;
        w0 = (v0 + w3 + (low >>> 0 < v3 >>> 0 ? 1 : 0)) | 0;
        v0 = low;
        low = ((v3 << 21) | (w3 >>> 11)) ^ v0;
        w3 = ((w3 << 21) | (v3 >>> 11)) ^ w0;
        v3 = low;
        v2 = (v2 + v1) | 0;
        w2 = (w2 + w1 + (v2 >>> 0 < v1 >>> 0 ? 1 : 0)) | 0;
        low = ((v1 << 17) | (w1 >>> 15)) ^ v2;
        w1 = ((w1 << 17) | (v1 >>> 15)) ^ w2;
        v1 = low;
        low = w2;
        w2 = v2;
        v2 = low;
      }
      v0 ^= m;
      w0 ^= n;
    }
    writeWord(target, at, v0 ^ v1 ^ v2 ^ v3);
    writeWord(target, at + 4, w0 ^ w1 ^ w2 ^ w3);
  }
}

function readWord(octets: Uint8Array, at: number): number {
  return octets[at] | (octets[at + 1] << 8) | (octets[at + 2] << 16) | (octets[at + 3] << 24);
}

/** The octets from `at` up to `end`, as the low octets of a word. */
function readTail(octets: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let i = end - 1; i >= at; i--) word = (word << 8) | octets[i];
  return word;
}

function writeWord(octets: Uint8Array, at: number, word: number): void {
  octets[at] = word & 0xff;
  octets[at + 1] = (word >>> 8) & 0xff;
  octets[at + 2] = (word >>> 16) & 0xff;
  octets[at + 3] = word >>> 24;
}
