/** Reads and writes big-endian integers at any offset of a packet. */

export function readUint16(octets: Uint8Array, at: number): number {
  return (octets[at] << 8) | octets[at + 1];
}

export function readUint32(octets: Uint8Array, at: number): number {
  return (readUint16(octets, at) << 16) | readUint16(octets, at + 2);
}

export function writeUint16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >>> 8;
  octets[at + 1] = value & 0xff;
}

export function writeUint32(octets: Uint8Array, at: number, value: number): void {
  writeUint16(octets, at, value >>> 16);
  writeUint16(octets, at + 2, value & 0xffff);
}
