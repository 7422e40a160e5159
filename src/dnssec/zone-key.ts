/**
 * The keys of a signed domain, as they are stored. One combined key signs all sets (RFC 6781 section 3.1); a second one
 * takes its place step by step (see `rollover.ts`), and keys of other providers are published beside it (RFC 8901).
 */
import { formatBase64 } from '../dns/base64.ts';
import type { Rollover } from './rollover.ts';

/** DNSSEC algorithm numbers of the keys that are made here (RFC 8624 section 3.1). */
export const madeAlgorithm = { ECDSAP256SHA256: 13, ED25519: 15 } as const;

export type MadeAlgorithm = (typeof madeAlgorithm)[keyof typeof madeAlgorithm];

/** Those of keys that come from elsewhere, so that a domain can move here with its key (RFC 5702). */
export const rsaAlgorithm = { RSASHA256: 8, RSASHA512: 10 } as const;

export type RsaAlgorithm = (typeof rsaAlgorithm)[keyof typeof rsaAlgorithm];

/** All algorithms with which domains are signed. */
export const signingAlgorithm = { ...rsaAlgorithm, ...madeAlgorithm } as const;

export type SigningAlgorithm = MadeAlgorithm | RsaAlgorithm;

/** Algorithms with which others may have signed a zone that is served as it is: all that are not discouraged. */
export const verifiedAlgorithm = { ...signingAlgorithm, ECDSAP384SHA384: 14, ED448: 16 } as const;

export type VerifiedAlgorithm = (typeof verifiedAlgorithm)[keyof typeof verifiedAlgorithm];

/** For sentences about what is accepted. */
export const SIGNING_ALGORITHMS_TEXT = '13 (ECDSAP256SHA256), 15 (ED25519), 8 (RSASHA256) or 10 (RSASHA512)';

/** Whether a domain can be signed here with a key of the algorithm. */
export function isSigningAlgorithm(algorithm: VerifiedAlgorithm): algorithm is SigningAlgorithm {
  return Object.values(signingAlgorithm).some((known) => known === algorithm);
}

/** Whether new keys are made of the algorithm. */
export function isMadeAlgorithm(algorithm: VerifiedAlgorithm): algorithm is MadeAlgorithm {
  return Object.values(madeAlgorithm).some((known) => known === algorithm);
}

/** Whether the private key of a signed domain is elsewhere: the service publishes it, and signs nothing with it. */
export function isHeldElsewhere({ origin }: Pick<ZoneKey, 'origin'>): boolean {
  return origin === 'foreign' || origin === 'file';
}

export function isRsa(algorithm: VerifiedAlgorithm): algorithm is RsaAlgorithm {
  return algorithm === rsaAlgorithm.RSASHA256 || algorithm === rsaAlgorithm.RSASHA512;
}

/**
 * How long a signature takes, in signatures of ECDSA P-256: 23 µs of CPU, Ed25519 28 µs, RSA with 2,048 bits 280 µs (Node
 * 20). What a signed domain may ask of the service at once depends on it.
 */
export function signatureCost(algorithm: VerifiedAlgorithm): number {
  return isRsa(algorithm) ? RSA_SIGNATURE_COST : 1;
}

const RSA_SIGNATURE_COST = 12;

/** The cost of a signature of the slowest of those keys that sign. */
export function signatureCostOf(keys: readonly Pick<ZoneKey, 'uses' | 'origin' | 'algorithm'>[]): number {
  return Math.max(1, ...keys.filter(isSigning).map(({ algorithm }) => signatureCost(algorithm)));
}

/** Zone key and secure entry point (RFC 4034 section 2.1.1): every key that signs here has them. */
export const KEY_FLAGS = 257;

/** Zone key only: a key of another provider that signs no set of keys, and that no DS record names. */
export const ZONE_KEY_FLAGS = 256;

export type KeyFlags = typeof KEY_FLAGS | typeof ZONE_KEY_FLAGS;

/** The purposes that a key can have at a time; `ZoneKey.uses` is the sum of some. */
export const keyUse = {
  /** It is in the DNSKEY set. */
  PUBLISHED: 1,
  /** It signs all sets but those that `SIGNS_KEYS` names. */
  SIGNS_ZONE: 2,
  /** It signs the sets DNSKEY, CDS and CDNSKEY. */
  SIGNS_KEYS: 4,
  /** CDS and CDNSKEY name it: the parent zone is to have its DS record. */
  ANNOUNCED: 8,
} as const;

/** The uses of a key that stands alone. */
export const ALL_USES = keyUse.PUBLISHED | keyUse.SIGNS_ZONE | keyUse.SIGNS_KEYS | keyUse.ANNOUNCED;

/**
 * `foreign`: a key of another provider that signs the same zone. `file`: a key of a zone that was signed elsewhere and is
 * served as it is. The private keys of both are not here.
 */
export type KeyOrigin = 'made' | 'imported' | 'foreign' | 'file';

export interface ZoneKey {
  /** UUIDv7. */
  readonly id: string;
  /** That of a key which signs here is a `SigningAlgorithm`. */
  readonly algorithm: VerifiedAlgorithm;
  readonly flags: KeyFlags;
  /** See `keyTag`. */
  readonly tag: number;
  /** DNSKEY RDATA, which is also the RDATA of CDNSKEY (RFC 7344 section 3.2). */
  readonly dnskey: Uint8Array;
  /** The private key, sealed by the secret `secretId` of `KeySecrets`. Both are empty without one. */
  readonly sealed: Uint8Array;
  readonly secretId: string;
  readonly createdAtSeconds: number;
  /** A sum of `keyUse`. */
  readonly uses: number;
  readonly origin: KeyOrigin;
  /** The rollover that brings this key, or the withdrawal that ends its use; null: none is in progress. */
  readonly rollover: Rollover | null;
}

/** A key as everybody may see it, and as JSON carries it: without its private part and without notes. */
export interface PublicZoneKey extends Pick<
  ZoneKey,
  'id' | 'algorithm' | 'flags' | 'tag' | 'createdAtSeconds' | 'origin'
> {
  /** DNSKEY RDATA as base64. */
  readonly dnskey: string;
  /** CDS and CDNSKEY ask the parent zone for its DS record. */
  readonly isAnnounced: boolean;
}

export function publicPartOf(key: ZoneKey): PublicZoneKey {
  const { id, algorithm, flags, tag, dnskey, createdAtSeconds, origin } = key;
  const isAnnounced = hasUse(key, keyUse.ANNOUNCED);
  return { id, algorithm, flags, tag, dnskey: formatBase64(dnskey), createdAtSeconds, origin, isAnnounced };
}

/** The uses of another provider's key (RFC 8901 section 2.1.2), which is announced if a DS record can name it. */
export function foreignUses({ flags }: Pick<ZoneKey, 'flags'>): number {
  return flags === KEY_FLAGS ? keyUse.PUBLISHED | keyUse.ANNOUNCED : keyUse.PUBLISHED;
}

/** @param use one of `keyUse`, or a sum of some: one of them is enough */
export function hasUse({ uses }: Pick<ZoneKey, 'uses'>, use: number): boolean {
  return (uses & use) !== 0;
}

/** Whether it signs anything here, so that its private key must be opened. */
export function isSigning(key: Pick<ZoneKey, 'uses' | 'origin'>): boolean {
  return !isHeldElsewhere(key) && hasUse(key, keyUse.SIGNS_ZONE | keyUse.SIGNS_KEYS);
}

/** Two keys of a domain must differ in one of them: a signature names its key by both. */
export function isNamedAlike(
  a: Pick<ZoneKey, 'tag' | 'algorithm'>,
  b: { readonly tag: number; readonly algorithm: number },
): boolean {
  return a.tag === b.tag && a.algorithm === b.algorithm;
}

/** Flags (2 octets), protocol and algorithm precede the public key (RFC 4034 section 2.1). */
export const DNSKEY_HEAD_OCTETS = 4;

/** The protocol of every DNSKEY record (RFC 4034 section 2.1.2). */
const DNSKEY_PROTOCOL = 3;

export function dnskeyRdata(algorithm: SigningAlgorithm, publicKey: Uint8Array): Uint8Array {
  const rdata = new Uint8Array(DNSKEY_HEAD_OCTETS + publicKey.length);
  rdata.set([KEY_FLAGS >>> 8, KEY_FLAGS & 0xff, DNSKEY_PROTOCOL, algorithm]);
  rdata.set(publicKey, DNSKEY_HEAD_OCTETS);
  return rdata;
}

/** The key tag of DNSKEY RDATA (RFC 4034 appendix B). */
export function keyTag(dnskey: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < dnskey.length; at++) sum += (at & 1) === 0 ? dnskey[at] << 8 : dnskey[at];
  return (sum + (sum >>> 16)) & 0xffff;
}
