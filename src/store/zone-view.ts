import type { Domain } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { LaterChanges } from '../writes/rewind-records.ts';
import { serialLead } from '../dns/serial.ts';
import type { ChainRow } from './chain-rows.ts';

/** A former serial of a domain, or a time. */
export type PastMoment = { readonly serial: number } | { readonly atMs: number };

/**
 * A snapshot of a domain with all its records. The engine keeps every overwritten row while it is open, so it should be
 * closed soon.
 */
export interface ZoneView {
  readonly domain: Domain;
  /**
   * Can be read again after its end. Sorted by owner in byte order, so the apex comes first; records of one owner in creation
   * order. A slice takes some milliseconds, and other work runs between slices. Rejects with `StoreUnavailable`, also if the
   * view is closed before the end.
   */
  slices(): Slices<DomainRecord>;
  /**
   * Can be read once, and not beside `slices` or after them. As `slices`, with the generated rows of each owner after its records (all but
   * those of NSEC3 records) and the row of the SOA record.
   */
  servedSlices(): Slices<DomainRecord>;
  /**
   * Can be read once. The names of a signed domain in the order of its chain: by name in canonical order, with those that are
   * occluded and so not in the chain; or by hash. Slices are as short as those of records. Empty for an unsigned domain.
   */
  chainSlices(): Slices<ChainRow>;
  /** The row of the SOA record of a signed domain (`decodeSignedSoa`). */
  findSignedSoa(): Promise<DomainRecord | undefined>;
  /**
   * Returns the changes after that moment as far as the history keeps them, and the serial at that moment.
   *
   * @param onRead called with changes as they are read; may throw to stop
   */
  changesLater(
    moment: PastMoment,
    onRead?: OnChangesRead,
  ): Promise<LaterChanges & { readonly serial: number }>;
  /** May be called at any time, and more than once. */
  close(): Promise<void>;
}

/** The rows of a view in pieces. */
export type Slices<Row> = AsyncGenerator<readonly Row[], void, undefined>;

export type OnChangesRead = (changes: LaterChanges['changes']) => void;

/**
 * Rows of a slice, which takes some 0.5 ms to read, and as long to format: while eight zones are exported, a short request
 * waits for a few slices each time it returns to the event loop. Larger slices cost a tenth less.
 */
export const VIEW_SLICE_RECORDS = 125;

/** A slice of long records ends with the record that reaches this size, as data and RDATA: it takes 2 ms. */
export const VIEW_SLICE_OCTETS = 128 * 1024;

/**
 * @param found serial at the requested moment; null if the history does not reach back so far
 * @param read reads the changes that the feed keeps after a serial
 */
export async function readLater(
  { serial: now }: Domain,
  found: number | null,
  read: (serial: number) => LaterChanges | Promise<LaterChanges>,
): Promise<LaterChanges & { readonly serial: number }> {
  if (found === null || serialLead(now, found) < 0) return { serial: now, changes: [], reachesBack: false };
  const { changes, reachesBack } = await read(found);
  return { serial: found, changes, reachesBack: reachesBack || found === now };
}
