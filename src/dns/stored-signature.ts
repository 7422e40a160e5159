/**
 * A signature of an RRset as it is stored and kept in zone images: the fields of an RRSIG record (RFC 4034 section 3.1)
 * that do not follow from the signed set and its zone. The label count comes from the owner, the original TTL from the
 * set, and the signer is the apex.
 */
export interface StoredSignature {
  /** The type that is covered. */
  readonly type: number;
  readonly keyTag: number;
  readonly algorithm: number;
  /** Seconds since 1970, modulo 2^32 (RFC 4034 section 3.1.5). */
  readonly inception: number;
  readonly expiration: number;
  readonly signature: Uint8Array;
}
