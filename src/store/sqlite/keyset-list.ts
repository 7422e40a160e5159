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
  /** With one `?` for each scope value; empty for the whole table. */
  readonly where: string;
  /** A column of names or ids. */
  readonly key: string;
}

/** A list read in pages by key: stable while rows come and go, and as quick at any depth. */
export interface KeysetList<Row> {
  read(scope: readonly SqlValue[], page: PageRequest): Omit<Page<Row>, 'total'>;
}

export function createKeysetList<Row extends SqlRow>(
  database: SqliteDatabase,
  { columns, table, where, key }: ListSource,
): KeysetList<Row> {
  const scoped = where === '' ? '' : `${where} AND`;
  const prepare = <R extends SqlRow>(selected: string, comparison: string, order: string): Query<R> =>
    prepareQuery<R>(
      database,
      `SELECT ${selected} FROM ${table} WHERE ${scoped} ${key} ${comparison} ? ORDER BY ${key} ${order} LIMIT ?`,
    );
  const rising = prepare<Row>(columns, '>', 'ASC');
  const falling = prepare<Row>(columns, '<', 'DESC');
  const anyUpTo = prepare('1', '<=', 'DESC');
  const anyFrom = prepare('1', '>=', 'ASC');
  return {
    read(scope, { direction, key: start, limit }) {
      const goesUp = direction === 'after';
      const query = goesUp ? rising : falling;
      const otherSide = goesUp ? anyUpTo : anyFrom;
      const rows = query.all(...scope, start ?? (goesUp ? '' : AFTER_ALL_KEYS), limit + 1);
      const goesOn = rows.length > limit;
      if (goesOn) rows.pop();
      const hasOtherSide = start !== null && otherSide.get(...scope, start, 1) !== undefined;
      if (goesUp) return { rows, hasBefore: hasOtherSide, hasAfter: goesOn };
      return { rows: rows.reverse(), hasBefore: goesOn, hasAfter: hasOtherSide };
    },
  };
}
