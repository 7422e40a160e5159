/**
 * Private keys of domains: made here, sealed for the store, and opened for signing. The private part is the scalar of
 * P-256 or the seed of Ed25519, 32 octets each, or an RSA key as a whole; the public part stands in the DNSKEY record.
 * Never leaves the process unsealed.
 */
import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { generateJwk } from './generate-jwk.ts';
import { encodeRsaKey } from './rsa-public-key.ts';
import { assert } from '../base/assert.ts';
import type { KeySecrets } from './key-secrets.ts';
import type { Rollover } from './rollover.ts';
import {
  DNSKEY_HEAD_OCTETS,
  ALL_USES,
  dnskeyRdata,
  isNamedAlike,
  isRsa,
  isSigningAlgorithm,
  KEY_FLAGS,
  keyTag,
  type KeyOrigin,
  type MadeAlgorithm,
  madeAlgorithm,
  type SigningAlgorithm,
  type ZoneKey,
} from './zone-key.ts';

export interface KeyMaterial {
  readonly algorithm: SigningAlgorithm;
  /** 32 octets, or the DER of an RSAPrivateKey (RFC 8017 appendix A.1.2). */
  readonly privateKey: Uint8Array;
  /**
   * As in DNSKEY records: both coordinates of P-256 (RFC 6605 section 4), the key of Ed25519 (RFC 8080 section 3), or
   * exponent and modulus of RSA (RFC 3110 section 2).
   */
  readonly publicKey: Uint8Array;
}

/** Everything of a new key that is not made of random numbers. */
export interface NewZoneKey {
  /** UUIDv7. */
  readonly id: string;
  readonly algorithm: MadeAlgorithm;
  readonly createdAtSeconds: number;
  /** `ALL_USES` by default. */
  readonly uses?: number;
  readonly rollover?: Rollover;
}

type SealedKeyOptions = Omit<NewZoneKey, 'algorithm'> & {
  readonly origin: Exclude<KeyOrigin, 'foreign' | 'file'>;
};

/** A random key has the tag of one of ten others once in 6,500 times, and so a second try is hardly ever in vain. */
const TRIES = 64;

/**
 * Makes a new random key.
 *
 * @param others keys of the same domain, from whose tags that of the new key differs if their algorithms are the same
 */
export function createZoneKey(
  wanted: NewZoneKey,
  secrets: KeySecrets,
  others: readonly Pick<ZoneKey, 'tag' | 'algorithm'>[] = [],
): ZoneKey {
  const { algorithm } = wanted;
  let material = generateKey(algorithm);
  for (let tries = 1; tries < TRIES; tries++) {
    const tag = keyTag(dnskeyRdata(algorithm, material.publicKey));
    if (!others.some((other) => isNamedAlike(other, { tag, algorithm }))) break;
    material = generateKey(algorithm);
  }
  return sealZoneKey({ origin: 'made', ...wanted }, material, secrets);
}

/** Seals a key that exists already. */
export function sealZoneKey(
  { id, createdAtSeconds, uses = ALL_USES, rollover, origin }: SealedKeyOptions,
  { algorithm, privateKey, publicKey }: KeyMaterial,
  secrets: KeySecrets,
): ZoneKey {
  const dnskey = dnskeyRdata(algorithm, publicKey);
  return {
    id,
    algorithm,
    flags: KEY_FLAGS,
    tag: keyTag(dnskey),
    dnskey,
    sealed: secrets.seal(privateKey, sealingContext(id, dnskey)),
    secretId: secrets.secretId,
    createdAtSeconds,
    uses,
    origin,
    rollover: rollover ?? null,
  };
}

/** No secret opens a domain's key: the operator has removed or changed the setting, or the row is damaged. */
export class KeyNotOpened extends Error {
  readonly keyId: string;
  readonly secretId: string;

  constructor({ id, secretId }: ZoneKey) {
    super(`The DNSSEC key ${id} cannot be opened: it was sealed with the secret ${secretId}`);
    this.name = 'KeyNotOpened';
    this.keyId = id;
    this.secretId = secretId;
  }
}

/** Opens a sealed key. Throws `KeyNotOpened`. */
export function openPrivateKey(key: ZoneKey, secrets: KeySecrets): KeyObject {
  const privateKey = secrets.open(key.sealed, sealingContext(key.id, key.dnskey), key.secretId);
  if (privateKey === undefined) throw new KeyNotOpened(key);
  const { algorithm } = key;
  assert(isSigningAlgorithm(algorithm), 'a key with a private part signs');
  return importPrivateKey({
    algorithm,
    privateKey,
    publicKey: key.dnskey.subarray(DNSKEY_HEAD_OCTETS),
  });
}

/** Seals the private key again, with the secret that seals now. Throws `KeyNotOpened`. */
export function resealZoneKey(key: ZoneKey, secrets: KeySecrets): Pick<ZoneKey, 'sealed' | 'secretId'> {
  const context = sealingContext(key.id, key.dnskey);
  const privateKey = secrets.open(key.sealed, context, key.secretId);
  if (privateKey === undefined) throw new KeyNotOpened(key);
  return { sealed: secrets.seal(privateKey, context), secretId: secrets.secretId };
}

/** As JWK, which OpenSSL imports five times as fast as PKCS #8 (67 against 340 µs); those of RSA are rare. */
export function importPrivateKey({ algorithm, privateKey, publicKey }: KeyMaterial): KeyObject {
  if (isRsa(algorithm)) {
    return createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs1' });
  }
  const d = base64Url(privateKey);
  if (algorithm === madeAlgorithm.ED25519) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64Url(publicKey), d };
    return createPrivateKey({ format: 'jwk', key: jwk });
  }
  const x = base64Url(publicKey.subarray(0, COORDINATE_OCTETS));
  const y = base64Url(publicKey.subarray(COORDINATE_OCTETS));
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } });
}

/** The inverse of `importPrivateKey`. */
export function exportPrivateKey(key: KeyObject, algorithm: SigningAlgorithm): KeyMaterial {
  if (isRsa(algorithm)) {
    const privateKey = new Uint8Array(key.export({ format: 'der', type: 'pkcs1' }));
    return { algorithm, privateKey, publicKey: encodeRsaKey(key.export({ format: 'jwk' })) };
  }
  return fromJwk(key.export({ format: 'jwk' }), algorithm);
}

function fromJwk({ d = '', x = '', y = '' }: JsonWebKey, algorithm: SigningAlgorithm): KeyMaterial {
  const publicKey = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    algorithm,
    privateKey: new Uint8Array(Buffer.from(d, 'base64url')),
    publicKey: new Uint8Array(publicKey),
  };
}

const COORDINATE_OCTETS = 32;

function generateKey(algorithm: MadeAlgorithm): KeyMaterial {
  const jwk =
    algorithm === madeAlgorithm.ED25519
      ? generateJwk('ed25519', {})
      : generateJwk('ec', { namedCurve: 'P-256' });
  return fromJwk(jwk, algorithm);
}

/** Binds the private key to the row and to the public key, and so to the key tag. */
function sealingContext(id: string, dnskey: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(id), dnskey]);
}

function base64Url(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('base64url');
}
