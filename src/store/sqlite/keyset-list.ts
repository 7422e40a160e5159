import type { Page, PageRequest } from '../store.ts';
import { AFTER_ALL_KEYS } from '../table-rows.ts';
import {
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from './sqlite-driver.ts';

export interface ListSource {
  readonly columns: string;
  readonly table: string;
  /** Holds one `?` for each scope value; empty for the whole table. */
  readonly where: string;
  /** The key column, of names or ids. */
  readonly key: string;
  /** The list ends before this key, which no row has. */
  readonly endKey?: string;
}

/** A list read in pages by key: pages stay stable while rows are added or removed, and cost the same at any depth. */
export interface KeysetList<Row> {
  read(scope: readonly SqlValue[], page: PageRequest): Omit<Page<Row>, 'total'>;
}

export function createKeysetList<Row extends SqlRow>(
  database: SqliteDatabase,
  { columns, table, where, key, endKey = AFTER_ALL_KEYS }: ListSource,
): KeysetList<Row> {
  const scoped = where === '' ? '' : `${where} AND`;
  const ended = endKey === AFTER_ALL_KEYS ? '' : `AND ${key} < '${endKey}'`;
  const prepare = <R extends SqlRow>(selected: string, comparison: string, order: string): Query<R> =>
    prepareQuery<R>(
      database,
      `SELECT ${selected} FROM ${table} WHERE ${scoped} ${key} ${comparison} ORDER BY ${key} ${order} LIMIT ?`,
    );
  const rising = prepare<Row>(columns, `> ? ${ended}`, 'ASC');
  const falling = prepare<Row>(columns, '< ?', 'DESC');
  const anyUpTo = prepare('1', '<= ?', 'DESC');
  const anyFrom = prepare('1', `>= ? ${ended}`, 'ASC');
  return {
    read(scope, { direction, key: given, limit }) {
      const start = given === null || given < endKey ? given : endKey;
      const isForward = direction === 'after';
      const query = isForward ? rising : falling;
      const otherSide = isForward ? anyUpTo : anyFrom;
      const rows = query.all(...scope, start ?? (isForward ? '' : endKey), limit + 1);
      const hasMore = rows.length > limit;
      if (hasMore) rows.pop();
      const hasOtherSide = start !== null && otherSide.get(...scope, start, 1) !== undefined;
      if (isForward) return { rows, hasBefore: hasOtherSide, hasAfter: hasMore };
      return { rows: rows.reverse(), hasBefore: hasMore, hasAfter: hasOtherSide };
    },
  };
}
