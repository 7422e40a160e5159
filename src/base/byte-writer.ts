/** Fits most records and names without growing. */
const FIRST_CAPACITY_BYTES = 64;

/** A cursor that writes bytes in network byte order into a buffer that grows as needed. */
export class ByteWriter {
  /** Number of octets written. */
  length = 0;
  private buffer: Uint8Array;

  constructor(capacityBytes = FIRST_CAPACITY_BYTES) {
    this.buffer = new Uint8Array(capacityBytes);
  }

  u8(value: number): void {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  u16(value: number): void {
    this.reserve(2);
    this.buffer[this.length++] = value >>> 8;
    this.buffer[this.length++] = value;
  }

  u32(value: number): void {
    this.u16(value >>> 16);
    this.u16(value & 0xffff);
  }

  bytes(octets: Uint8Array): void {
    this.reserve(octets.length);
    this.buffer.set(octets, this.length);
    this.length += octets.length;
  }

  /** Reads an octet written earlier. */
  at(offset: number): number {
    return offset < this.length ? (this.buffer[offset] ?? 0) : 0;
  }

  /** Overwrites an octet written earlier, for example a length that is now known. */
  patchU8(offset: number, value: number): void {
    this.buffer[offset] = value;
  }

  /** Forgets the octets written, and keeps the buffer. */
  clear(): void {
    this.length = 0;
  }

  /** The octets written, until more are written. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /** Returns a copy of the octets written. */
  finish(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }
}
