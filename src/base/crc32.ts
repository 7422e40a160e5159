/** CRC-32 as zlib, gzip and PNG compute it (reflected polynomial of ISO 3309): finds typing errors, never a security measure. */

const REFLECTED_POLYNOMIAL = 0xedb88320;

/** The checksum of octets, 32 bits unsigned. */
export function crc32(octets: Uint8Array): number {
  let crc = 0xffffffff;
  for (const octet of octets) crc = (crc >>> 8) ^ REMAINDERS[(crc ^ octet) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, octet) => {
  let remainder = octet;
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ REFLECTED_POLYNOMIAL : remainder >>> 1;
  }
  return remainder;
});
