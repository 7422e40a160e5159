/** RSA keys as DNSKEY records have them: length of the exponent, exponent, modulus (RFC 3110 section 2). */

/** The numbers of a public RSA key, big-endian, without leading zero octets. */
export interface RsaNumbers {
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
}

/** The same as the members of a JWK: base64url. */
interface RsaJwk {
  readonly n?: string | undefined;
  readonly e?: string | undefined;
}

/**
 * The bits of a modulus with which a domain can be signed here. One of 3,072 bits takes six times as long for a signature, one
 * of 4,096 bits fifteen times (4 ms), and most proofs that a name does not exist would no longer fit into a UDP message.
 */
export const SIGNING_MODULUS_BITS = 2048;

/** The bits of a modulus that is published for another provider; validators accept no more (RFC 5702 section 2). */
export const MIN_PUBLISHED_MODULUS_BITS = 1024;
export const MAX_PUBLISHED_MODULUS_BITS = 4096;

/** BIND refuses keys with a larger exponent. Common ones are 65537 and 3. */
const MAX_EXPONENT_BITS = 35;

/** Longer exponents have their length in two octets behind a zero. */
const MAX_SHORT_LENGTH = 255;

export function encodeRsaKey({ n = '', e = '' }: RsaJwk): Uint8Array {
  const exponent = Buffer.from(e, 'base64url');
  const modulus = Buffer.from(n, 'base64url');
  const head =
    exponent.length <= MAX_SHORT_LENGTH
      ? [exponent.length]
      : [0, exponent.length >>> 8, exponent.length & 0xff];
  return new Uint8Array(Buffer.concat([Buffer.from(head), exponent, modulus]));
}

/** Undefined for octets that are no public key. @param publicKey DNSKEY RDATA without its first four octets */
export function decodeRsaKey(publicKey: Uint8Array): RsaNumbers | undefined {
  const isShort = publicKey.at(0) !== 0;
  const start = isShort ? 1 : 3;
  const length = isShort ? (publicKey.at(0) ?? 0) : ((publicKey.at(1) ?? 0) << 8) | (publicKey.at(2) ?? 0);
  const exponent = publicKey.subarray(start, start + length);
  const modulus = publicKey.subarray(start + length);
  if (exponent.length < length || length === 0 || modulus.length === 0) return undefined;
  // Leading zeros are not allowed: two texts would be the same key.
  return exponent[0] === 0 || modulus[0] === 0 ? undefined : { exponent, modulus };
}

export function modulusBits({ modulus }: RsaNumbers): number {
  return bitsOf(modulus);
}

/** Says in words what validators do not accept about the numbers of a key. Undefined: nothing. */
export function findRsaProblem({ exponent, modulus }: RsaNumbers): string | undefined {
  const lowest = exponent[exponent.length - 1];
  const isEven = (lowest & 1) === 0 || (modulus[modulus.length - 1] & 1) === 0;
  if (isEven || (exponent.length === 1 && lowest < 3))
    return 'exponent and modulus of the RSA key must be odd, and the exponent 3 at least';
  if (bitsOf(exponent) <= MAX_EXPONENT_BITS) return undefined;
  return `the exponent of the RSA key has more than ${MAX_EXPONENT_BITS} bits, which validators do not accept`;
}

function bitsOf(number: Uint8Array): number {
  return number.length * 8 - (Math.clz32(number[0]) - 24);
}
