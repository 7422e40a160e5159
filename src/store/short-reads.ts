// Decides which filtered lists and histories are short: they run immediately, beside the reads of single rows.
import type { Domain } from '../model/domain.ts';

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

/** More than short records have in all columns and their names. */
const SHORT_RECORD_OCTETS = 512;

/** Reading a page of long records takes up to a tenth of a second. */
const MAX_LONG_OCTETS = 2 * 1024 * 1024;

/** Whether a page of a domain's records may be so long that it is not read immediately. */
export function hasLongRecords({ recordCount, octets }: Pick<Domain, 'recordCount' | 'octets'>): boolean {
  return octets - recordCount * SHORT_RECORD_OCTETS > MAX_LONG_OCTETS;
}

export function isShort({ rows, octets }: ListWeight, maxRows: number): boolean {
  return rows <= maxRows && octets <= MAX_SHORT_OCTETS;
}
