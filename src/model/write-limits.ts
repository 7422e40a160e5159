/** A sentence or two; stored in every history entry of the change. */
export const MAX_NOTE_CHARACTERS = 500;

/** How long an idempotency key is kept: programs repeat a request within minutes, people within a day. */
export const IDEMPOTENCY_HOURS = 24;

/** The largest batch takes half a second. */
export const MAX_CHANGES = 10_000;

/**
 * Records that are imported, reverted or restored at once: some seconds of work under the feed's lock, for which other
 * writers wait. Larger zones are merged in parts.
 */
export const MAX_ZONE_RECORDS = 200_000;
