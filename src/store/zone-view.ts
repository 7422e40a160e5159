import type { Domain } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';

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
  /** May be called twice, and at any time. */
  close(): Promise<void>;
}

/** Rows of a slice: some 5 ms to read, and half a megabyte. */
export const VIEW_SLICE_RECORDS = 2000;
