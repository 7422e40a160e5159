/**
 * CRC-32 as in zlib, gzip and PNG (reflected polynomial of ISO 3309): detects typing errors, never a security measure.
 */

const REFLECTED_POLYNOMIAL = 0xedb88320;

/** Returns the checksum as an unsigned 32-bit number. */
export function crc32(octets: Uint8Array): number {
  let crc = 0xffffffff;
  for (const octet of octets) crc = (crc >>> 8) ^ remainders[(crc ^ octet) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

const remainders = Uint32Array.from({ length: 256 }, (_, octet) => {
  let remainder = octet;
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ REFLECTED_POLYNOMIAL : remainder >>> 1;
  }
  return remainder;
});
