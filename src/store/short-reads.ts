// Decides which filtered lists and histories are short: they run immediately, beside the reads of single rows.

/** The rows that a list would scan. */
export interface ListWeight {
  /** Counted to one more than the limit. */
  readonly rows: number;
  /** Octets of their RDATA. The data as shown is up to four times as long. */
  readonly octets: number;
}

/** A filter scans so many records in less than a millisecond. */
export const MAX_SHORT_RECORDS = 1000;

/** An entry of the history costs about four times as much as a record, because it is joined with the entry before it. */
export const MAX_SHORT_CHANGES = 250;

/** A search compares each octet of the shown data up to eight times: at most some 10 ms. */
const MAX_SHORT_OCTETS = 128 * 1024;

export function isShort({ rows, octets }: ListWeight, maxRows: number): boolean {
  return rows <= maxRows && octets <= MAX_SHORT_OCTETS;
}
