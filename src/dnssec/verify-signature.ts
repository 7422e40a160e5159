/**
 * Verifies signatures that others have made (RFC 4035 section 5.3.3). The work is done by threads of Node, so that the
 * caller's thread goes on.
 */
import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { derEcdsaSignature } from './ecdsa-signature.ts';
import { decodeRsaKey } from './rsa-public-key.ts';
import {
  DNSKEY_HEAD_OCTETS,
  keyTag,
  rsaAlgorithm,
  verifiedAlgorithm,
  type VerifiedAlgorithm,
} from './zone-key.ts';

/** A key of a DNSKEY record, ready for use. */
export interface VerifyingKey {
  readonly tag: number;
  readonly algorithm: VerifiedAlgorithm;
  readonly key: KeyObject;
}

/**
 * Undefined if its algorithm is not known here, if the octets are no key of it, or if the key may not sign a zone: it has
 * another protocol (RFC 4034 section 2.1.2), is no zone key, or is revoked (RFC 5011 section 2.1).
 */
export function openVerifyingKey(dnskey: Uint8Array): VerifyingKey | undefined {
  if (dnskey.length <= DNSKEY_HEAD_OCTETS) return undefined;
  const flags = (dnskey[0] << 8) | dnskey[1];
  if ((flags & ZONE_KEY_FLAG) === 0 || (flags & REVOKED_FLAG) !== 0 || dnskey[2] !== PROTOCOL)
    return undefined;
  const algorithm = Object.values(verifiedAlgorithm).find((known) => known === dnskey[ALGORITHM_AT]);
  const jwk = algorithm && jwkOf(algorithm, dnskey.subarray(DNSKEY_HEAD_OCTETS));
  if (algorithm === undefined || jwk === undefined) return undefined;
  try {
    return { tag: keyTag(dnskey), algorithm, key: createPublicKey({ format: 'jwk', key: jwk }) };
  } catch {
    return undefined;
  }
}

/** @param data see `signedData` */
export function verifySignature(
  { algorithm, key }: VerifyingKey,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const curve = curves.get(algorithm);
  const isEcdsa = curve?.kty === 'EC';
  // It has as many octets as the key (RFC 6605 section 4).
  if (isEcdsa && signature.length !== curve.octets) return Promise.resolve(false);
  const taken = isEcdsa ? derEcdsaSignature(signature) : signature;
  return new Promise((resolve) => {
    verify(hashes[algorithm], data, key, taken, (error, isValid) => {
      resolve(error === null && isValid);
    });
  });
}

const ZONE_KEY_FLAG = 0x0100;
const REVOKED_FLAG = 0x0080;
const PROTOCOL = 3;
/** The algorithm stands in the fourth octet (RFC 4034 section 2.1). */
const ALGORITHM_AT = 3;

/** Null: the algorithm has a hash of its own. */
const hashes: Readonly<Record<VerifiedAlgorithm, string | null>> = {
  8: 'sha256',
  10: 'sha512',
  13: 'sha256',
  14: 'sha384',
  15: null,
  16: null,
};

const curves = new Map<
  VerifiedAlgorithm,
  { readonly kty: 'EC' | 'OKP'; readonly crv: string; readonly octets: number }
>([
  [13, { kty: 'EC', crv: 'P-256', octets: 64 }],
  [14, { kty: 'EC', crv: 'P-384', octets: 96 }],
  [15, { kty: 'OKP', crv: 'Ed25519', octets: 32 }],
  [16, { kty: 'OKP', crv: 'Ed448', octets: 57 }],
]);

function jwkOf(algorithm: VerifiedAlgorithm, publicKey: Uint8Array): JsonWebKey | undefined {
  if (algorithm === rsaAlgorithm.RSASHA256 || algorithm === rsaAlgorithm.RSASHA512) {
    const numbers = decodeRsaKey(publicKey);
    return numbers && { kty: 'RSA', n: base64Url(numbers.modulus), e: base64Url(numbers.exponent) };
  }
  const curve = curves.get(algorithm);
  if (curve === undefined || publicKey.length !== curve.octets) return undefined;
  const { kty, crv } = curve;
  if (kty === 'OKP') return { kty, crv, x: base64Url(publicKey) };
  const half = publicKey.length / 2;
  return { kty, crv, x: base64Url(publicKey.subarray(0, half)), y: base64Url(publicKey.subarray(half)) };
}

function base64Url(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64url');
}
