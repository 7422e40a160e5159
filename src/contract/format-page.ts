// The JSON text of a list page, concatenated from formatted rows; a serializer would take several times as long.
import { formatCursor, type ListKey } from './cursor.ts';

/** A page as the store returns it, in list order. */
export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** The exact number of rows in the whole list. */
  readonly total: number;
  /** The keys from which the neighbouring pages start; absent: those of the first and the last row. */
  readonly ends?: { readonly before: string; readonly after: string };
}

/** How one kind of row is listed. */
export interface ListFormat<Row> {
  /** The member that holds the rows, e.g. `records`. */
  readonly member: string;
  readonly listKey: ListKey;
  /** The page is the answer to a dry run. */
  readonly isDryRun?: boolean;
  /** Query parameters that filter the list; a cursor is valid only for the same filter. */
  readonly filteredBy?: readonly string[];
  readonly keyOf: (row: Row) => string;
  readonly formatRow: (row: Row) => string;
  /** The approximate length of a row's text; absent: rows are short. */
  readonly lengthOf?: (row: Row) => number;
}

/**
 * `{"<member>":[…],"meta":{"total":N,"links":{"next":"…","prev":"…"}}}`; links are `""` at the ends (contract rule 12).
 *
 * @param mark `listMark` of the list
 */
export function formatPage<Row>(page: ListedPage<Row>, mark: string, format: ListFormat<Row>): string {
  let items = '';
  for (const row of page.rows) items += items === '' ? format.formatRow(row) : ',' + format.formatRow(row);
  return `${formatBegin(format)}${items}${formatEnd(page, mark, format)}`;
}

/** The same text, row by row, for a page that is long. */
export function* formatPageInPieces<Row>(
  page: ListedPage<Row>,
  mark: string,
  format: ListFormat<Row>,
): Generator<string, void, undefined> {
  let before = formatBegin(format);
  for (const row of page.rows) {
    yield before + format.formatRow(row);
    before = ',';
  }
  yield (page.rows.length === 0 ? before : '') + formatEnd(page, mark, format);
}

function formatBegin({ member, isDryRun }: Pick<ListFormat<never>, 'member' | 'isDryRun'>): string {
  return `{${isDryRun === true ? '"dry_run":true,' : ''}"${member}":[`;
}

function formatEnd<Row>(page: ListedPage<Row>, mark: string, format: ListFormat<Row>): string {
  const { rows, ends } = page;
  const first = rows[0];
  const last = rows[rows.length - 1];
  // An empty page has no row to go back from; `prev` then starts at the end of the list.
  const next = page.hasAfter ? formatCursor('after', mark, ends?.after ?? (last && format.keyOf(last))) : '';
  const prev = page.hasBefore
    ? formatCursor('before', mark, ends?.before ?? (first && format.keyOf(first)))
    : '';
  return `],"meta":{"total":${page.total},"links":{"next":"${next}","prev":"${prev}"}}}`;
}
