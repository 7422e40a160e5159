// The public keys of passkeys. A passkey is registered without a signature of it, so that its key could be anything.
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

/**
 * ECDSA P-256, which devices and password managers have, and RSA, which older versions of Windows have. Some can also do Ed25519,
 * but they can do P-256 as well.
 */
export const passkeyAlgorithms = [-7, -257] as const;

/** Verifying a signature of a longer key takes longer than a log-in is worth. */
const MAX_MODULUS_BITS = 4096;
const MIN_MODULUS_BITS = 2048;

/** Keys have 65537; a large exponent makes verifying as slow as signing. */
const MAX_EXPONENT = 2n ** 32n;

/** Members of keys in COSE form (RFC 9053 section 7.1, RFC 8230 section 4). */
const cose = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;

const keyTypes = { ec: 2, rsa: 3 } as const;
const P256 = 1;

/** @param publicKey in COSE form */
export function findPublicKeyProblem(publicKey: Uint8Array<ArrayBuffer>): string | undefined {
  const key = readKey(publicKey);
  if (key === undefined) return 'The public key of the passkey is not a point of P-256 or an RSA key';
  const { modulusLength: bits, publicExponent: exponent } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || bits === undefined || exponent === undefined) return undefined;
  const isUsual = bits >= MIN_MODULUS_BITS && bits <= MAX_MODULUS_BITS && exponent <= MAX_EXPONENT;
  return isUsual
    ? undefined
    : `An RSA key must have ${MIN_MODULUS_BITS} to ${MAX_MODULUS_BITS} bits and a small exponent`;
}

function readKey(publicKey: Uint8Array<ArrayBuffer>): KeyObject | undefined {
  try {
    const key = toJsonWebKey(decodeCredentialPublicKey(publicKey) as unknown as ReadonlyMap<number, unknown>);
    // It refuses points that are not on the curve.
    return key && createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function toJsonWebKey(members: ReadonlyMap<number, unknown>): JsonWebKey | undefined {
  const text = (member: number): string => {
    const octets = members.get(member);
    return octets instanceof Uint8Array ? Buffer.from(octets).toString('base64url') : '';
  };
  const [elliptic, rsa] = passkeyAlgorithms;
  const type = members.get(cose.keyType);
  const algorithm = members.get(cose.algorithm);
  if (type === keyTypes.ec && algorithm === elliptic && members.get(cose.curve) === P256)
    return { kty: 'EC', crv: 'P-256', x: text(cose.x), y: text(cose.y) };
  if (type === keyTypes.rsa && algorithm === rsa)
    return { kty: 'RSA', n: text(cose.modulus), e: text(cose.exponent) };
  return undefined;
}
