// The JSON text of a list page, put together from ready strings: a serializer costs several times as much.
import { formatCursor, type ListKey } from './cursor.ts';

/** A page as the store gives it, in the list's own order. */
export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** Exact, of the whole list. */
  readonly total: number;
}

/** How one kind of row is listed. */
export interface ListFormat<Row> {
  /** The member that holds the rows, e.g. `records`. */
  readonly member: string;
  readonly listKey: ListKey;
  /** Members of the query that narrow the list: its cursors hold for the same ones. */
  readonly narrowedBy?: readonly string[];
  readonly keyOf: (row: Row) => string;
  readonly formatRow: (row: Row) => string;
}

/**
 * `{"<member>":[…],"meta":{"total":N,"links":{"next":"…","prev":"…"}}}`; links are `""` at the ends (contract rule 12).
 *
 * @param mark `listMark` of the list
 */
export function formatPage<Row>(page: ListedPage<Row>, mark: string, format: ListFormat<Row>): string {
  const { rows } = page;
  let items = '';
  for (const row of rows) items += items === '' ? format.formatRow(row) : ',' + format.formatRow(row);
  const first = rows[0];
  const last = rows[rows.length - 1];
  // Without rows there is no key to turn back from: the way back then starts at the list's end.
  const next = page.hasAfter ? formatCursor('after', mark, last && format.keyOf(last)) : '';
  const prev = page.hasBefore ? formatCursor('before', mark, first && format.keyOf(first)) : '';
  return `{"${format.member}":[${items}],"meta":{"total":${page.total},"links":{"next":"${next}","prev":"${prev}"}}}`;
}
