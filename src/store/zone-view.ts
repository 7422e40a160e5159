import type { Domain } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { LaterChanges } from '../writes/rewind-records.ts';
import { serialLead } from '../dns/serial.ts';

/** A serial that a domain had, or a time. */
export type PastMoment = { readonly serial: number } | { readonly atMs: number };

/**
 * A domain with all its records as it was when the view was opened, whatever is written meanwhile. Whoever opens one
 * closes it soon: the engine keeps what was overwritten as long.
 */
export interface ZoneView {
  readonly domain: Domain;
  /**
   * To be read once: owner by owner in byte order, so the apex first; at one owner in creation order. Each slice is
   * some milliseconds' work, and other work comes between them. Rejects with `StoreUnavailable`, also when the view is
   * closed before the end.
   */
  slices(): AsyncGenerator<readonly DomainRecord[], void, undefined>;
  /** What the history keeps of what came after that moment, and the serial of then. */
  changesLater(moment: PastMoment): Promise<LaterChanges & { readonly serial: number }>;
  /** May be called twice, and at any time. */
  close(): Promise<void>;
}

/** Rows of a slice: some 5 ms to read, and half a megabyte. */
export const VIEW_SLICE_RECORDS = 2000;

/**
 * @param found null: no entry so old is kept
 * @param read what the feed keeps after a serial
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
