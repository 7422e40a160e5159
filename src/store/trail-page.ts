// One page of the trail as SQL, the same for both engines. A page looks at a limited number of entries, whatever its filter shows:
// it ends there, and the next page goes on from the place.
import type { NumberedTrailEntry } from '../model/trail-entry.ts';
import { toBoundedPage, type RowKeys } from './bounded-page.ts';
import type { PageRequest } from './page.ts';
import type { TextConditions } from './record-filter.ts';
import { toTrailEntry, TRAIL_COLUMNS, type TrailRow } from './trail-columns.ts';
import type { TrailPage, TrailPlace, TrailQuery } from './trail-reads.ts';

/** So many entries are looked at for a page: some 20 ms. Few accounts have more in a year. */
export const TRAIL_PAGE_ENTRIES = 10_000;

interface SqlQuery {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** The statements of a page. All of them find their entries by an index. */
export interface TrailPageQueries {
  /** The shown ones of the entries that the page looks at, and one more than it has. */
  readonly rows: SqlQuery;
  /** The last entry that the page looks at, and the one after it; fewer if it looks at all. */
  readonly end: SqlQuery;
  /** The number of shown ones among the latest entries. */
  readonly total: SqlQuery;
}

export type TrailEndRow = [atMs: number, id: number];

/** The first entry that is looked at, and the first one that is not. */
type Bounds = readonly [lowest: TrailPlace, highest: TrailPlace];

export function trailPageQueries(
  query: TrailQuery,
  page: PageRequest,
  table: string,
  engine: TextConditions,
): TrailPageQueries {
  const { scopeValues, shown, shownValues } = query;
  const order = page.direction === 'after' ? FALLING : RISING;
  const values = [...scopeValues, ...shownValues];
  const columns = `id, ${TRAIL_COLUMNS}`;
  const scan = (within: string, wanted: string): string =>
    `SELECT ${wanted} FROM ${table} WHERE ${query.scope} AND ${within}`;
  const ofPage = scan(describeBounds(values.length, engine), columns);
  const placed = [...values, ...boundValues(boundsOf(query, page))];
  const endBounds = describeBounds(scopeValues.length, engine);
  return {
    rows: {
      text: `SELECT ${columns} FROM (${ofPage} ORDER BY ${order} LIMIT ${TRAIL_PAGE_ENTRIES}) AS scanned
        WHERE ${shown} ORDER BY ${order} LIMIT ${page.limit + 1}`,
      values: placed,
    },
    end: {
      text: `${scan(endBounds, 'at, id')} ORDER BY ${order} LIMIT 2 OFFSET ${TRAIL_PAGE_ENTRIES - 1}`,
      values: [...scopeValues, ...boundValues(boundsOf(query, page))],
    },
    total: {
      text: `SELECT count(*) FROM (${ofPage} ORDER BY ${FALLING} LIMIT ${TRAIL_PAGE_ENTRIES}) AS latest WHERE ${shown}`,
      values: [...values, ...boundValues(boundsOf(query, { ...page, key: null }))],
    },
  };
}

const FALLING = 'at DESC, id DESC';
const RISING = 'at, id';

/** One bound on each side, so that the engine cannot choose a wider one and pass over entries that nothing counts. */
function describeBounds(before: number, { mark }: TextConditions): string {
  const [lowAt, lowId, highAt, highId] = [1, 2, 3, 4].map((place) => mark(before + place));
  return `(at, id) >= (${lowAt}, ${lowId}) AND (at, id) < (${highAt}, ${highId})`;
}

function boundsOf({ fromMs, untilMs }: TrailQuery, { direction, key }: PageRequest): Bounds {
  const [lowest, highest] = [
    { atMs: fromMs, id: 0 },
    { atMs: untilMs, id: 0 },
  ];
  if (key === null) return [lowest, highest];
  const place = parseKey(key);
  if (direction === 'after') return [lowest, comparePlaces(place, highest) < 0 ? place : highest];
  const next = { atMs: place.atMs, id: place.id + 1 };
  return [comparePlaces(next, lowest) > 0 ? next : lowest, highest];
}

function boundValues([lowest, highest]: Bounds): readonly number[] {
  return [lowest.atMs, lowest.id, highest.atMs, highest.id];
}

/** @param found the rows of each statement */
export function toTrailPage(
  page: PageRequest,
  found: {
    readonly rows: readonly TrailRow[];
    readonly end: readonly TrailEndRow[];
    readonly total: number;
  },
): TrailPage {
  const rows = found.rows.map(toTrailEntry);
  const end = found.end.map(([atMs, id]) => formatKey({ atMs, id }));
  return toBoundedPage(page, { rows, end, total: found.total }, keys);
}

const keys: RowKeys<NumberedTrailEntry> = {
  keyOf: formatKey,
  neighbourOf(key, side) {
    const { atMs, id } = parseKey(key);
    return formatKey({ atMs, id: side === 'after' ? Math.max(0, id - 1) : id + 1 });
  },
};

function formatKey({ atMs, id }: Pick<NumberedTrailEntry, 'atMs' | 'id'>): string {
  return `${atMs}.${id}`;
}

function parseKey(key: string): TrailPlace {
  const [atMs, id] = key.split('.').map(Number);
  return { atMs, id };
}

function comparePlaces(a: TrailPlace, b: TrailPlace): number {
  return a.atMs - b.atMs || a.id - b.id;
}
