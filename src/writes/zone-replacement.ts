/**
 * The most owners in one update. Putting them into a zone in memory takes some tens of milliseconds, during which the thread
 * answers nobody.
 */
export const MAX_UPDATED_OWNERS = 2000;

/**
 * Whether followers should read the whole zone again instead of applying the new content of each owner: many owners have
 * changed, and they are more than a small part of the zone.
 */
export function isReplacement(changedOwners: number, recordCount: number): boolean {
  return changedOwners > MAX_UPDATED_OWNERS && changedOwners * RELATIVE_COST > recordCount;
}

/** Reading a record as part of a whole zone costs about a tenth of changing its owner separately. */
const RELATIVE_COST = 10;
