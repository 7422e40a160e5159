/**
 * Owners that an update may name: more of them are put into a zone in memory within some tens of milliseconds, for which
 * the thread that does it answers nobody.
 */
export const MAX_UPDATED_OWNERS = 2000;

/**
 * True where followers better read a zone anew than take in each owner's new content: many have changed, and not just a
 * small part of a large zone, whose reading takes far longer.
 */
export function isReplacement(changedOwners: number, recordCount: number): boolean {
  return changedOwners > MAX_UPDATED_OWNERS && changedOwners * PART > recordCount;
}

/** A zone is read anew in slices, which cost some ten times less a record than an owner that is changed by itself. */
const PART = 10;
