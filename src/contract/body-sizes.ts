/** 10,000 changes of more than a kilobyte each. */
export const MAX_BATCH_BODY_BYTES = 16 * 1_048_576;

/** A zone file of a million records of 60 bytes; larger ones are sent in parts. */
export const MAX_ZONE_BODY_BYTES = 64 * 1_048_576;
