/**
 * Everything that signing a zone needs of `node:crypto`, for code that is given it: `writes` decides what is signed and
 * imports no cryptography. Keeps private keys in memory, unsealed, and gives them to nobody.
 */
import { createHash, sign, type KeyObject } from 'node:crypto';
import { lowerDomainName, type DomainName } from '../dns/name.ts';
import { dsRdata } from './ds-rdata.ts';
import { plainEcdsaSignature } from './ecdsa-signature.ts';
import type { KeySecrets } from './key-secrets.ts';
import { KeyNotOpened, openPrivateKey } from './private-key.ts';
import { isRsa, madeAlgorithm, rsaAlgorithm, type ZoneKey } from './zone-key.ts';

export interface ZoneSigner {
  /** The signature of `data` as in RRSIG records. Throws `KeyNotOpened` if no secret opens the key. */
  sign(key: ZoneKey, data: Uint8Array): Uint8Array;
  /** Whether a secret opens the key, so that `sign` does not throw. */
  opens(key: ZoneKey): boolean;
  /**
   * The hash of a name in an NSEC3 chain (RFC 5155 section 5): SHA-1 without salt and further iterations (RFC 9276
   * section 3.1), 20 octets.
   */
  hashName(name: DomainName): Uint8Array;
  /** DS data of a key for the parent zone, with SHA-256; the same as CDS data. */
  dsRdata(apex: DomainName, dnskey: Uint8Array): Uint8Array;
}

/** An opened key has about 2 kB: all of them take 20 MB at most. Opening another one costs 70 µs, one of RSA 340. */
const MAX_OPENED_KEYS = 10_000;

export function createZoneSigner(secrets: KeySecrets): ZoneSigner {
  const opened = new Map<string, SignWith>();
  const open = (key: ZoneKey): SignWith => {
    const known = opened.get(key.id);
    if (known !== undefined) return known;
    const signWith = signWithKey(openPrivateKey(key, secrets), key);
    const [oldest] = opened.keys();
    if (opened.size >= MAX_OPENED_KEYS) opened.delete(oldest);
    opened.set(key.id, signWith);
    return signWith;
  };
  return {
    sign: (key, data) => open(key)(data),
    opens: (key) => {
      try {
        open(key);
        return true;
      } catch (error) {
        if (error instanceof KeyNotOpened) return false;
        throw error;
      }
    },
    hashName: (name) => plainOctets(createHash('sha1').update(lowerDomainName(name)).digest()),
    dsRdata,
  };
}

/** Each of the two numbers of a signature has so many. */
const P256_OCTETS = 32;

type SignWith = (data: Uint8Array) => Uint8Array;

function signWithKey(key: KeyObject, { algorithm }: ZoneKey): SignWith {
  if (algorithm === madeAlgorithm.ED25519) return (data) => plainOctets(sign(null, data, key));
  if (isRsa(algorithm)) {
    const hash = algorithm === rsaAlgorithm.RSASHA512 ? 'sha512' : 'sha256';
    return (data) => plainOctets(sign(hash, data, key));
  }
  return (data) => plainEcdsaSignature(sign('sha256', data, key), P256_OCTETS);
}

/**
 * A copy without the methods of `Buffer`, as octets are read back from the store. V8 keeps up to 64 of them in its own heap, so
 * that they cost nothing but their place; a buffer of `node:crypto` is memory outside.
 */
function plainOctets(octets: Buffer): Uint8Array {
  return new Uint8Array(octets);
}
