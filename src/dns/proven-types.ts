/**
 * The types that an NSEC or NSEC3 record proves to exist at its owner (RFC 4034 section 4.1.2, RFC 5155 section 7.1).
 * The writer signs a record with these types and the nameserver makes the same record again, so both use this function.
 */
import { rrType } from './codes.ts';
import { maxTypeBitmapOctets, writeTypeBitmap } from './type-bitmap-octets.ts';

/** How a zone proves that something does not exist. */
export type Denial = 'nsec' | 'nsec3';

/** The role of a name in its zone; the numbers are stored. */
export const ownerStatus = {
  /** Below a delegation or a DNAME: neither signed nor part of the chain. */
  OCCLUDED: 0,
  AUTHORITATIVE: 1,
  /** Owns NS records and is not the apex: only DS is signed. */
  DELEGATION: 2,
} as const;

export type OwnerStatus = (typeof ownerStatus)[keyof typeof ownerStatus];

/** The types added to those of the sets: RRSIG and NSEC. */
export const MAX_ADDED_TYPES = 2;

/**
 * Turns the types of an owner's sets into those of its NSEC or NSEC3 record, in ascending order, and returns their number.
 * Creates no objects.
 *
 * @param types the distinct types of all sets that are served of the owner, in any order; at the apex also SOA, DNSKEY,
 *   CDS, CDNSKEY and NSEC3PARAM. An empty non-terminal has none. Room for `MAX_ADDED_TYPES` more follows `count`.
 * @param status not occluded: such owners have no such record
 */
export function completeTypes(
  types: Uint16Array,
  count: number,
  status: OwnerStatus,
  denial: Denial,
): number {
  let kept = count;
  if (status === ownerStatus.DELEGATION) {
    kept = 0;
    // Other sets at a delegation are glue (RFC 4035 section 2.3).
    for (let at = 0; at < count; at++) {
      if (types[at] === rrType.NS || types[at] === rrType.DS) types[kept++] = types[at];
    }
  }
  if (denial === 'nsec') {
    types[kept++] = rrType.RRSIG;
    types[kept++] = rrType.NSEC;
  } else if (hasSignedSet(types, kept, status)) {
    types[kept++] = rrType.RRSIG;
  }
  sort(types, kept);
  return kept;
}

/** The bitmap of an owner's NSEC or NSEC3 record; the arguments are those of `completeTypes`. */
export function provenTypeBitmap(
  setTypes: readonly number[],
  status: OwnerStatus,
  denial: Denial,
): Uint8Array {
  const types = new Uint16Array(setTypes.length + MAX_ADDED_TYPES);
  types.set(setTypes);
  const count = completeTypes(types, setTypes.length, status, denial);
  const bitmap = new Uint8Array(maxTypeBitmapOctets(count));
  return bitmap.slice(0, writeTypeBitmap(types, count, bitmap, 0));
}

/** The NS set of a delegation is not signed (RFC 4035 section 2.2). */
function hasSignedSet(types: Uint16Array, count: number, status: OwnerStatus): boolean {
  if (status !== ownerStatus.DELEGATION) return count > 0;
  for (let at = 0; at < count; at++) if (types[at] === rrType.DS) return true;
  return false;
}

/** Up to so many types are sorted by insertion, which creates no object: nearly all owners have a few. */
const MAX_INSERTED_TYPES = 32;

function sort(types: Uint16Array, count: number): void {
  if (count > MAX_INSERTED_TYPES) {
    types.subarray(0, count).sort();
    return;
  }
  for (let sorted = 1; sorted < count; sorted++) {
    const type = types[sorted];
    let at = sorted;
    for (; at > 0 && types[at - 1] > type; at--) types[at] = types[at - 1];
    types[at] = type;
  }
}
