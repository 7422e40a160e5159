// One page of a filtered history as SQL, the same for both engines. It looks at a limited number of changes, like one of the trail.
import { authorOfUser } from '../model/user.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';
import { toBoundedPage, type BoundedPage, type RowKeys } from './bounded-page.ts';
import { CHANGE_PAGE_ENTRIES, type ChangeFilter } from './change-filter.ts';
import { entryColumns, entryCondition, entryTable, toEntry, type EntryRow } from './history-list.ts';
import type { PageRequest } from './page.ts';
import type { TextConditions } from './record-filter.ts';

/** A table of an engine, and how it finds the changes of a domain in the order of their numbers. */
export interface ChangeSource {
  readonly engine: TextConditions;
  readonly index: string;
}

interface SqlQuery {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

export type ChangeEndRow = [seq: number];

/** The first number that is looked at, and the first one that is not. */
type Bounds = readonly [lowest: number, highest: number];

/** Finds the last change that a page looks at, and the one after it; fewer rows if it looks at all. Reads no more than an index. */
export function changeEndQuery(domainId: number, page: PageRequest, source: ChangeSource): SqlQuery {
  const { mark } = source.engine;
  const order = page.direction === 'after' ? 'DESC' : 'ASC';
  return {
    text: `SELECT seq FROM changes ${source.index}
      WHERE domain_id = ${mark(1)} AND seq >= ${mark(2)} AND seq < ${mark(3)}
      ORDER BY seq ${order} LIMIT 2 OFFSET ${CHANGE_PAGE_ENTRIES - 1}`,
    values: [domainId, ...boundsOf(page)],
  };
}

/** Finds the shown ones of the changes that a page looks at, and one more than it has. @param end the rows of `changeEndQuery` */
export function changeRowsQuery(
  domainId: number,
  filter: ChangeFilter,
  page: PageRequest,
  end: readonly ChangeEndRow[],
  source: ChangeSource,
): SqlQuery {
  const order = page.direction === 'after' ? 'DESC' : 'ASC';
  const { text, values } = shownBetween(domainId, filter, placeBounds(page, end), source);
  return {
    text: `SELECT ${entryColumns} ${text} ORDER BY entry.seq ${order} LIMIT ${page.limit + 1}`,
    values,
  };
}

/** Counts the shown ones of the latest changes. @param end the rows of `changeEndQuery` for the first page */
export function changeTotalQuery(
  domainId: number,
  filter: ChangeFilter,
  end: readonly ChangeEndRow[],
  source: ChangeSource,
): SqlQuery {
  const { text, values } = shownBetween(domainId, filter, placeBounds(firstPage, end), source);
  return { text: `SELECT count(*) ${text}`, values };
}

/** The page whose end bounds the total. */
export const firstPage: PageRequest = { direction: 'after', key: null, limit: 1 };

export function toChangePage(
  page: PageRequest,
  found: {
    readonly rows: readonly EntryRow[];
    readonly end: readonly ChangeEndRow[];
    readonly total: number;
  },
): BoundedPage<HistoryEntry> {
  const end = found.end.map(([seq]) => String(seq));
  return toBoundedPage(page, { rows: found.rows.map(toEntry), end, total: found.total }, keys);
}

const keys: RowKeys<HistoryEntry> = {
  keyOf: ({ seq }) => String(seq),
  neighbourOf: (key, side) => String(side === 'after' ? Math.max(0, Number(key) - 1) : Number(key) + 1),
};

function shownBetween(
  domainId: number,
  { actor, fromMs, untilMs }: ChangeFilter,
  bounds: Bounds,
  { engine, index }: ChangeSource,
): SqlQuery {
  const values: (string | number)[] = [];
  const add = (value: string | number): string => engine.mark(values.push(value));
  const conditions = [
    `entry.domain_id = ${add(domainId)}`,
    `entry.seq >= ${add(bounds[0])}`,
    `entry.seq < ${add(bounds[1])}`,
    entryCondition,
  ];
  if (actor !== undefined)
    conditions.push(`(entry.key_id = ${add(actor)} OR entry.key_id = ${add(authorOfUser(actor))})`);
  if (fromMs !== undefined) conditions.push(`entry.at >= ${add(fromMs)}`);
  if (untilMs !== undefined) conditions.push(`entry.at < ${add(untilMs)}`);
  return { text: `FROM ${entryTable(index)} WHERE ${conditions.join(' AND ')}`, values };
}

function boundsOf({ direction, key }: PageRequest): Bounds {
  if (key === null) return [0, Number.MAX_SAFE_INTEGER];
  const place = Number(key);
  return direction === 'after' ? [0, place] : [place + 1, Number.MAX_SAFE_INTEGER];
}

/** Those of a page that looks no further than its end. */
function placeBounds(page: PageRequest, end: readonly ChangeEndRow[]): Bounds {
  const [lowest, highest] = boundsOf(page);
  const last = end.at(0)?.[0];
  if (last === undefined) return [lowest, highest];
  return page.direction === 'after' ? [last, highest] : [lowest, last + 1];
}
