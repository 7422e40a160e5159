// The filtered history of a domain in PostgreSQL.
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
import { keyText } from './key-text.ts';
import { inPostgres } from './postgres-searches.ts';
import type { ReadConnections } from './read-connections.ts';

const source: ChangeSource = { engine: inPostgres, index: '' };

export async function readChangePage(
  connections: ReadConnections,
  domainId: number,
  { actor, ...times }: ChangeFilter,
  page: PageRequest,
): Promise<BoundedPage<HistoryEntry>> {
  const filter = { ...times, actor: actor && keyText(actor) };
  const findEnd = (of: PageRequest): Promise<ChangeEndRow[]> => {
    const query = changeEndQuery(domainId, of, source);
    return connections.query<ChangeEndRow>(query.text, query.values);
  };
  const end = await findEnd(page);
  const found = changeRowsQuery(domainId, filter, page, end, source);
  const rows = await connections.query<EntryRow>(found.text, found.values);
  const counted = changeTotalQuery(domainId, filter, await findEnd(firstPage), source);
  const [[total]] = await connections.query<[number]>(counted.text, counted.values);
  return toChangePage(page, { rows, end, total });
}
