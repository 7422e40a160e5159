/** 10,000 changes of a kilobyte and more each. */
export const maxBatchBodyBytes = 16 * 1_048_576;

/** A million records of 60 bytes in a master file; who sends more sends it in parts. */
export const maxZoneBodyBytes = 64 * 1_048_576;
