import type { Page, PageRequest } from '../store.ts';
import type { KeyValues, ScanKey } from './scan-key.ts';
import {
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from './sqlite-driver.ts';

/**
 * Rows that one statement scans: one or two milliseconds. Domains without any matching record are skipped in addition, in
 * a microsecond each.
 */
const STEP_ROWS = 4096;

/** Octets that one statement scans: some 50 ms if every octet is shown as four characters and compared eight times. */
const STEP_OCTETS = 512 * 1024;

export interface ScanSource {
  readonly columns: string;
  readonly table: string;
  /** Selects the rows to scan, with placeholders from `?1` on; an index must return them in the order of the key. */
  readonly scope: string;
  readonly scopeLength: number;
  /** Selects the scanned rows that are shown; its placeholders follow those of `scope`. */
  readonly shown: string;
  readonly shownLength: number;
  /** SQL expression for the octets of a row, which must not read long values: SQLite stores their lengths apart. */
  readonly octets: string;
  readonly key: ScanKey;
}

export interface ScanValues {
  readonly scope: readonly SqlValue[];
  readonly shown: readonly SqlValue[];
}

/**
 * A filtered list, whose length is stored nowhere, so every page scans all rows. The driver cannot interrupt a statement,
 * so the scan is divided into steps.
 */
export interface ScannedList<Row> {
  /**
   * Must be called inside a transaction.
   *
   * @param beforeStep throws to stop the read
   */
  read(values: ScanValues, page: PageRequest, beforeStep: () => void): Page<Row>;
}

export function createScannedList<Row extends SqlRow>(
  database: SqliteDatabase,
  source: ScanSource,
  stepRows = STEP_ROWS,
  stepOctets = STEP_OCTETS,
): ScannedList<Row> {
  const { key } = source;
  const queries = prepareScan<Row>(database, source);
  const step = { rows: stepRows, octets: stepOctets };
  return {
    read(values, { direction, key: given, limit }, beforeStep) {
      const goesUp = (direction === 'after') !== key.isFalling;
      const cut = findCut(key, given, goesUp);
      const below = findSpans(queries, values, [key.lowest, cut], step, beforeStep);
      const above = findSpans(queries, values, [cut, key.highest], step, beforeStep);
      const [ahead, behind] = goesUp ? [above, below] : [below.reverse(), above];
      const query = goesUp ? queries.rising : queries.falling;
      const rows: Row[] = [];
      for (const { from, until } of ahead) {
        if (rows.length === limit) break;
        beforeStep();
        rows.push(...query.all(...values.scope, ...values.shown, ...from, ...until, limit - rows.length));
      }
      const goesOn = shownIn(ahead) > limit;
      const goesBack = shownIn(behind) > 0;
      const total = shownIn(ahead) + shownIn(behind);
      if (direction === 'after') return { rows, hasBefore: goesBack, hasAfter: goesOn, total };
      return { rows: rows.reverse(), hasBefore: goesOn, hasAfter: goesBack, total };
    },
  };
}

/** Returns the key that separates the requested rows from the others; the key of a page is not part of it. */
function findCut(key: ScanKey, given: string | null, goesUp: boolean): KeyValues {
  if (given === null) return goesUp ? key.lowest : key.highest;
  return goesUp ? key.next(key.parse(given)) : key.parse(given);
}

/** A range of keys and the number of its rows that are shown. */
interface Span {
  readonly from: KeyValues;
  readonly until: KeyValues;
  readonly shown: number;
}

/** Returns the spans that have shown rows, the lowest first; one step scans each. */
function findSpans(
  { end, count, octets }: ScanQueries<SqlRow>,
  { scope, shown }: ScanValues,
  [lowest, highest]: readonly [from: KeyValues, until: KeyValues],
  step: StepSize,
  beforeStep: () => void,
): Span[] {
  const spans: Span[] = [];
  for (let from: KeyValues | undefined = lowest; from !== undefined && from !== highest;) {
    beforeStep();
    const start: KeyValues = from;
    const rows = fitRows(step, (limit) => octets.get(...scope, ...start, ...highest, limit)?.[0] ?? 0);
    const next: KeyValues | undefined = end.get(...scope, ...from, ...highest, rows);
    const until = next ?? highest;
    const found = count.get(...scope, ...shown, ...from, ...until)?.[0] ?? 0;
    if (found > 0) spans.push({ from, until, shown: found });
    from = next;
  }
  return spans;
}

interface StepSize {
  readonly rows: number;
  readonly octets: number;
}

/** Returns how many rows are scanned in a step: fewer if they are long, but at least one. */
function fitRows(step: StepSize, octetsOf: (rows: number) => number): number {
  let { rows } = step;
  for (let octets = octetsOf(rows); octets > step.octets && rows > 1; octets = octetsOf(rows)) {
    rows = Math.max(1, Math.min(rows >> 1, Math.floor((rows * step.octets) / octets)));
  }
  return rows;
}

function shownIn(spans: readonly Span[]): number {
  return spans.reduce((sum, { shown }) => sum + shown, 0);
}

interface ScanQueries<Row> {
  /** Returns the key after the last row of a step, if there is one. */
  readonly end: Query<SqlRow>;
  /** Returns the octets of the first rows. */
  readonly octets: Query<[octets: number]>;
  readonly count: Query<[shown: number]>;
  readonly rising: Query<Row & SqlRow>;
  readonly falling: Query<Row & SqlRow>;
}

function prepareScan<Row extends SqlRow>(
  database: SqliteDatabase,
  { columns, table, scope, scopeLength, shown, shownLength, octets, key }: ScanSource,
): ScanQueries<Row> {
  const marks = (first: number) => key.columns.map((_, at) => `?${first + at}`);
  const keyLength = key.columns.length;
  const between = (first: number) => `${key.from(marks(first))} AND ${key.until(marks(first + keyLength))}`;
  const scanned = `FROM ${table} WHERE ${scope} AND ${between(scopeLength + 1)}`;
  const found = `FROM ${table} WHERE ${scope} AND ${shown} AND ${between(scopeLength + shownLength + 1)}`;
  const limit = `?${scopeLength + shownLength + 2 * keyLength + 1}`;
  const stepLimit = `?${scopeLength + 2 * keyLength + 1}`;
  const rising = key.order.join(', ');
  const falling = key.order.map((column) => `${column} DESC`).join(', ');
  return {
    end: prepareQuery(
      database,
      `SELECT ${key.columns.join(', ')} ${scanned} ORDER BY ${rising} LIMIT 1 OFFSET ${stepLimit}`,
    ),
    octets: prepareQuery(
      database,
      `SELECT sum(octets) FROM (SELECT ${octets} AS octets ${scanned} ORDER BY ${rising} LIMIT ${stepLimit}) AS step`,
    ),
    count: prepareQuery(database, `SELECT count(*) ${found}`),
    rising: prepareQuery(database, `SELECT ${columns} ${found} ORDER BY ${rising} LIMIT ${limit}`),
    falling: prepareQuery(database, `SELECT ${columns} ${found} ORDER BY ${falling} LIMIT ${limit}`),
  };
}
