// The filter of a domain's history, and the bounds of its pages.
import type { HistoryEntry } from '../writes/history-entry.ts';
import type { BoundedPage } from './bounded-page.ts';
import type { Page } from './page.ts';

/** All given conditions must hold. */
export interface ChangeFilter {
  /** The id of a key or user, or as in the entry. */
  readonly actor?: string | undefined;
  /** The first millisecond. */
  readonly fromMs?: number | undefined;
  /** The first millisecond that is too late. */
  readonly untilMs?: number | undefined;
}

/** Bounded if there is a filter. */
export type ChangePage = Page<HistoryEntry> | BoundedPage<HistoryEntry>;

/** So many changes are looked at for a page, with those of signatures: some 50 ms. Few domains have more in a month. */
export const CHANGE_PAGE_ENTRIES = 10_000;
