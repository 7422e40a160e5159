/**
 * A cursor over untrusted bytes. Reading past the end never throws: it returns 0 or nothing, moves to the end and sets
 * `failed` permanently, so that one check after a series of reads is enough.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  position: number;
  failed = false;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get remaining(): number {
    return this.end - this.position;
  }

  u8(): number {
    return this.has(1) ? (this.bytes[this.position++] ?? 0) : 0;
  }

  u16(): number {
    return this.has(2) ? this.u8() * 0x100 + this.u8() : 0;
  }

  u32(): number {
    return this.has(4) ? this.u16() * 0x10000 + this.u16() : 0;
  }

  /** The next `length` octets, as a view on the same memory. */
  take(length: number): Uint8Array {
    if (!this.has(length)) return new Uint8Array(0);
    this.position += length;
    return this.bytes.subarray(this.position - length, this.position);
  }

  /** All remaining octets, as a view on the same memory. */
  rest(): Uint8Array {
    return this.take(this.remaining);
  }

  skip(length: number): void {
    if (this.has(length)) this.position += length;
  }

  private has(length: number): boolean {
    if (this.position + length <= this.end) return true;
    this.position = this.end;
    this.failed = true;
    return false;
  }
}
