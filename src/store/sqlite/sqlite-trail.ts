// The trail in SQLite: what batches add to it, and reads of it.
import type { TrailEntry } from '../../model/trail-entry.ts';
import { trailUsageOf } from '../../writes/pending-trail.ts';
import type { ListWeight } from '../short-reads.ts';
import type { PageRequest } from '../store.ts';
import { TRAIL_COLUMNS, trailColumns, type TrailRow } from '../trail-columns.ts';
import { toTrailPage, trailPageQueries, type TrailEndRow } from '../trail-page.ts';
import {
  describeTrailRead,
  sliceQuery,
  sliceValues,
  toTrailSlice,
  weightQuery,
  type SliceRow,
  type TrailFilter,
  type TrailPage,
  type TrailPlace,
  type TrailSlice,
} from '../trail-reads.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { inSqlite } from './sqlite-searches.ts';

/** Prepares the statements that add entries inside an open transaction. */
export function createTrailWriter(database: SqliteDatabase): (entries: readonly TrailEntry[]) => void {
  const insert = database.prepare(
    `INSERT INTO trail (${TRAIL_COLUMNS}) VALUES (${trailColumns.map(() => '?').join(', ')})`,
  );
  const addUsage = database.prepare(
    `INSERT INTO trail_usage (account_id, action, octets) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET octets = octets + excluded.octets`,
  );
  return (entries) => {
    for (const entry of entries) insert.run(...trailColumns.map(({ cellOf }) => cellOf(entry)));
    for (const { accountId, action, octets } of trailUsageOf(entries))
      addUsage.run(accountId, action, octets);
  };
}

/** The trail as one connection reads it. Statements are prepared for each read, which takes less than a page of entries. */
export class SqliteTrail {
  private readonly database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.database = database;
  }

  /** Must be called inside a transaction. @param beforeStep throws to stop the read */
  list(filter: TrailFilter, page: PageRequest, beforeStep: () => void): TrailPage {
    const query = describeTrailRead(filter, inSqlite);
    const { rows, end, total } = trailPageQueries(query, page, tableOf(filter), inSqlite);
    const { database } = this;
    beforeStep();
    const found = prepareQuery<TrailRow>(database, rows.text).all(...rows.values);
    const ends = prepareQuery<TrailEndRow>(database, end.text).all(...end.values);
    beforeStep();
    const [count] = prepareQuery<[number]>(database, total.text).get(...total.values) ?? [0];
    return toTrailPage(page, { rows: found, end: ends, total: count });
  }

  slice(filter: TrailFilter, from: TrailPlace): TrailSlice {
    const query = describeTrailRead(filter, inSqlite);
    const text = sliceQuery(query, tableOf(filter), inSqlite);
    return toTrailSlice(prepareQuery<SliceRow>(this.database, text).all(...sliceValues(query, from)));
  }

  /** The weight of all entries of the account. */
  weigh(filter: TrailFilter): ListWeight {
    const query = describeTrailRead(filter, inSqlite);
    const text = weightQuery(query, tableOf(filter));
    const [rows] = prepareQuery<[number]>(this.database, text).get(...query.scopeValues) ?? [0];
    return { rows, octets: 0 };
  }

  octets(accountId: string): number {
    const sum = 'SELECT coalesce(sum(octets), 0) FROM trail_usage WHERE account_id = ?';
    return prepareQuery<[number]>(this.database, sum).get(accountId)?.[0] ?? 0;
  }
}

function tableOf({ accountId }: TrailFilter): string {
  return `trail INDEXED BY ${accountId === undefined ? 'trail_by_time' : 'trail_by_account'}`;
}
