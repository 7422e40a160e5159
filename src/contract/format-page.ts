// The JSON text of a list page, concatenated from formatted rows; a serializer would take several times as long.
import { formatCursor, type ListKey } from './cursor.ts';

/** A page as the store returns it, in list order. */
export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** The exact number of rows in the whole list. */
  readonly total: number;
}

/** How one kind of row is listed. */
export interface ListFormat<Row> {
  /** The member that holds the rows, e.g. `records`. */
  readonly member: string;
  readonly listKey: ListKey;
  /** Query parameters that filter the list; a cursor is valid only for the same filter. */
  readonly filteredBy?: readonly string[];
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
  // An empty page has no row to go back from; `prev` then starts at the end of the list.
  const next = page.hasAfter ? formatCursor('after', mark, last && format.keyOf(last)) : '';
  const prev = page.hasBefore ? formatCursor('before', mark, first && format.keyOf(first)) : '';
  return `{"${format.member}":[${items}],"meta":{"total":${page.total},"links":{"next":"${next}","prev":"${prev}"}}}`;
}
