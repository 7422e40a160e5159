/** How long an idempotency key is kept: programs repeat a request within minutes, people within a day. */
export const IDEMPOTENCY_HOURS = 24;

/** The largest batch takes half a second. */
export const MAX_CHANGES = 10_000;

/**
 * The octets of all records that a batch of changes touches, as they are before and afterwards: four times the largest
 * request, in text and in wire form. Without a limit, a request of 25 kB touches gigabytes.
 */
export const MAX_CHANGED_OCTETS = 128 * 1024 * 1024;

/**
 * Records that are imported, reverted or restored at once: some seconds of work, and about a second in which they are copied
 * and other writers wait. Larger zones are merged in parts.
 */
export const MAX_ZONE_RECORDS = 200_000;

/**
 * The stored octets of a domain that is replaced, reverted or restored at once, and those of the history that a revert
 * undoes: more than 1 KiB for each record of the largest zone. Known before any record is read.
 */
export const MAX_ZONE_OCTETS = 256 * 1024 * 1024;

/**
 * The octets that one write adds to the store: its records, and entries of the history for all that it changes. The largest
 * domain replaced by the content of a zone file of 64 MiB stays below: its former records once, and the new ones, which are
 * stored as text and as RDATA, twice.
 */
export const MAX_WRITTEN_OCTETS = 640 * 1024 * 1024;
