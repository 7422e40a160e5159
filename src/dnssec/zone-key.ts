/** The key of a signed domain, as it is stored: one combined key signs all sets (RFC 6781 section 3.1). */

/** DNSSEC algorithm numbers with which domains are signed (RFC 8624 section 3.1). */
export const signingAlgorithm = { ECDSAP256SHA256: 13, ED25519: 15 } as const;

export type SigningAlgorithm = (typeof signingAlgorithm)[keyof typeof signingAlgorithm];

/** Zone key and secure entry point (RFC 4034 section 2.1.1). */
export const KEY_FLAGS = 257;

export interface ZoneKey {
  /** UUIDv7. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly flags: typeof KEY_FLAGS;
  /** See `keyTag`. */
  readonly tag: number;
  /** DNSKEY RDATA, which is also the RDATA of CDNSKEY (RFC 7344 section 3.2). */
  readonly dnskey: Uint8Array;
  /** The private key, sealed by the secret `secretId` of `KeySecrets`. */
  readonly sealed: Uint8Array;
  readonly secretId: string;
  readonly createdAtSeconds: number;
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
