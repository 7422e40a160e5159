/** A sentence or two, in every entry of the history that the change makes. */
export const MAX_NOTE_CHARACTERS = 500;

/** How long an idempotency key is remembered: clients repeat within minutes, people within a day. */
export const IDEMPOTENCY_HOURS = 24;

/** Changes in one batch: half a second's work. */
export const MAX_CHANGES = 10_000;

/**
 * Records that are imported, reverted or restored at once: some seconds' work under the feed's lock, for which other
 * writers wait. Larger zones are merged in parts.
 */
export const MAX_ZONE_RECORDS = 200_000;
