// Pages of filtered lists that look at a limited number of rows, whatever the filter shows: a page ends there, and the next one
// goes on from the place.
import type { Page, PageRequest } from './page.ts';

/** A page, and the keys from which its neighbours start; they need not be those of its first and last row. */
export interface BoundedPage<T> extends Page<T> {
  readonly ends: { readonly before: string; readonly after: string };
}

/** The rows that were read for a page. */
export interface BoundedRows<T> {
  /** The shown ones of the rows that the page looks at, in the order of reading, and one more than it has. */
  readonly rows: readonly T[];
  /** The keys of the last row that the page looks at and the one after it; fewer if it looks at all. */
  readonly end: readonly string[];
  readonly total: number;
}

export interface RowKeys<T> {
  readonly keyOf: (row: T) => string;
  /** The next key, earlier in the list or later. */
  readonly neighbourOf: (key: string, side: 'before' | 'after') => string;
}

/** @param read the limit of the page is one less than the rows that were asked for */
export function toBoundedPage<T>(
  { direction, key, limit }: PageRequest,
  read: BoundedRows<T>,
  { keyOf, neighbourOf }: RowKeys<T>,
): BoundedPage<T> {
  const isAfter = direction === 'after';
  const found = read.rows.slice(0, limit);
  const isFull = read.rows.length > limit;
  const hasAhead = isFull || read.end.length > 1;
  const last = found.at(-1);
  const first = found.at(0);
  const ahead = isFull || !hasAhead ? last && keyOf(last) : read.end[0];
  // The way back from a page without rows shows the one again from which it was reached.
  const behind =
    first === undefined && key !== null
      ? neighbourOf(key, isAfter ? 'after' : 'before')
      : first && keyOf(first);
  const [before = '', after = ''] = isAfter ? [behind, ahead] : [ahead, behind];
  const { total } = read;
  return isAfter
    ? { rows: found, total, hasBefore: key !== null, hasAfter: hasAhead, ends: { before, after } }
    : { rows: found.reverse(), total, hasBefore: hasAhead, hasAfter: key !== null, ends: { before, after } };
}
