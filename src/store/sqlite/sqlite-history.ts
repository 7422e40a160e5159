// The filtered history of a domain in SQLite. Statements are prepared for each read, which takes less than a page of changes.
import type { HistoryEntry } from '../../writes/history-entry.ts';
import type { BoundedPage } from '../bounded-page.ts';
import type { ChangeFilter } from '../change-filter.ts';
import {
  changeEndQuery,
  changeRowsQuery,
  changeTotalQuery,
  firstPage,
  toChangePage,
  type ChangeEndRow,
  type ChangeSource,
} from '../change-page.ts';
import type { EntryRow } from '../history-list.ts';
import type { PageRequest } from '../page.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { inSqlite } from './sqlite-searches.ts';

const source: ChangeSource = { engine: inSqlite, index: 'INDEXED BY changes_by_domain' };

/** Must be called inside a transaction. @param beforeStep throws to stop the read */
export function readChangePage(
  database: SqliteDatabase,
  domainId: number,
  filter: ChangeFilter,
  page: PageRequest,
  beforeStep: () => void,
): BoundedPage<HistoryEntry> {
  const findEnd = (of: PageRequest): readonly ChangeEndRow[] => {
    const query = changeEndQuery(domainId, of, source);
    return prepareQuery<ChangeEndRow>(database, query.text).all(...query.values);
  };
  beforeStep();
  const end = findEnd(page);
  const found = changeRowsQuery(domainId, filter, page, end, source);
  const rows = prepareQuery<EntryRow>(database, found.text).all(...found.values);
  beforeStep();
  const counted = changeTotalQuery(domainId, filter, findEnd(firstPage), source);
  const [total] = prepareQuery<[number]>(database, counted.text).get(...counted.values) ?? [0];
  return toChangePage(page, { rows, end, total });
}
