/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash of short messages that outsiders can't forge. In 32-bit
 * arithmetic, because numbers of 64 bits would be garbage; never allocates after construction.
 */

export class SipHash {
  private readonly key = new Int32Array(4);
  /** v0…v3 of the algorithm, each as its low and its high word. */
  private readonly state = new Int32Array(8);

  /** @param key 16 octets */
  constructor(key: Uint8Array) {
    for (let i = 0; i < 4; i++) this.key[i] = readWord(key, i * 4);
  }

  /** Puts the eight octets of the hash of message[0…length) at `target[at…]`, in the order in which they are sent. */
  hash(message: Uint8Array, length: number, target: Uint8Array, at: number): void {
    this.begin();
    const whole = length & ~7;
    for (let i = 0; i < whole; i += 8) this.absorb(readWord(message, i), readWord(message, i + 4));
    this.absorb(
      readTail(message, whole, Math.min(length, whole + 4)),
      readTail(message, whole + 4, length) | (length << 24),
    );
    this.end(target, at);
  }

  private begin(): void {
    const { state, key } = this;
    state[0] = key[0] ^ 0x70736575;
    state[1] = key[1] ^ 0x736f6d65;
    state[2] = key[2] ^ 0x6e646f6d;
    state[3] = key[3] ^ 0x646f7261;
    state[4] = key[0] ^ 0x6e657261;
    state[5] = key[1] ^ 0x6c796765;
    state[6] = key[2] ^ 0x79746573;
    state[7] = key[3] ^ 0x74656462;
  }

  private absorb(low: number, high: number): void {
    const { state } = this;
    state[6] ^= low;
    state[7] ^= high;
    mix(state, 2);
    state[0] ^= low;
    state[1] ^= high;
  }

  private end(target: Uint8Array, at: number): void {
    const { state } = this;
    state[4] ^= 0xff;
    mix(state, 4);
    writeWord(target, at, state[0] ^ state[2] ^ state[4] ^ state[6]);
    writeWord(target, at + 4, state[1] ^ state[3] ^ state[5] ^ state[7]);
  }
}

/** SipRound, `rounds` times; v and w are a number's low and high word. Sums of 64 bits carry where the low word's sum is less than one of its parts. */
function mix(state: Int32Array, rounds: number): void {
  let v0 = state[0];
  let w0 = state[1];
  let v1 = state[2];
  let w1 = state[3];
  let v2 = state[4];
  let w2 = state[5];
  let v3 = state[6];
  let w3 = state[7];
  let low: number;
  for (let round = 0; round < rounds; round++) {
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
    // Rotating v0 by 32 bits exchanges its words.
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
  state[0] = v0;
  state[1] = w0;
  state[2] = v1;
  state[3] = w1;
  state[4] = v2;
  state[5] = w2;
  state[6] = v3;
  state[7] = w3;
}

function readWord(octets: Uint8Array, at: number): number {
  return octets[at] | (octets[at + 1] << 8) | (octets[at + 2] << 16) | (octets[at + 3] << 24);
}

/** The octets from `at` on, up to `end`, as the low ones of a word. */
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
