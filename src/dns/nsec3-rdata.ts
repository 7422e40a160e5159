/**
 * NSEC3 and NSEC3PARAM records (RFC 5155 sections 3 and 4), always with SHA-1, without opt-out, further iterations and
 * salt (RFC 9276 section 3.1).
 */
import { formatBase32Hex } from './base64.ts';
import type { DomainName } from './name.ts';

const HASH_SHA1 = 1;
/** Hash algorithm, flags, iterations (2 octets) and the length of the salt. */
const parameters = [HASH_SHA1, 0, 0, 0, 0] as const;

/** NSEC3PARAM data, `1 0 0 -`. */
export function nsec3ParamRdata(): Uint8Array {
  return Uint8Array.from(parameters);
}

/**
 * @param nextHash the hash that follows in the chain; the first one after the last
 * @param bitmap the types at the hashed name, see `provenTypeBitmap`
 */
export function nsec3Rdata(nextHash: Uint8Array, bitmap: Uint8Array): Uint8Array {
  const hashAt = parameters.length + 1;
  const rdata = new Uint8Array(hashAt + nextHash.length + bitmap.length);
  rdata.set(parameters);
  rdata[parameters.length] = nextHash.length;
  rdata.set(nextHash, hashAt);
  rdata.set(bitmap, hashAt + nextHash.length);
  return rdata;
}

/** The owner of an NSEC3 record: the hash in base32hex, as a label below the apex (RFC 5155 section 3). */
export function nsec3Owner(hash: Uint8Array, apex: DomainName): DomainName {
  const label = formatBase32Hex(hash);
  const owner = new Uint8Array(1 + label.length + apex.length);
  owner[0] = label.length;
  for (let at = 0; at < label.length; at++) owner[1 + at] = label.charCodeAt(at);
  owner.set(apex, 1 + label.length);
  return owner as DomainName;
}
