import type { Page, PageRequest } from '../store.ts';
import {
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from './sqlite-driver.ts';

/** After every key in byte order: names and ids are printable ASCII. */
const AFTER_ALL_KEYS = '\u{7f}';

interface ListSource {
  readonly columns: string;
  readonly table: string;
  /** With one `?` for each scope value; empty for the whole table. */
  readonly where: string;
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
  const after = prepare<Row>(columns, '>', 'ASC');
  const before = prepare<Row>(columns, '<', 'DESC');
  const anyUpTo = prepare('1', '<=', 'DESC');
  const anyFrom = prepare('1', '>=', 'ASC');
  return {
    read(scope, { direction, key: start, limit }) {
      const query = direction === 'after' ? after : before;
      const otherSide = direction === 'after' ? anyUpTo : anyFrom;
      const rows = query.all(...scope, start ?? (direction === 'after' ? '' : AFTER_ALL_KEYS), limit + 1);
      const goesOn = rows.length > limit;
      if (goesOn) rows.pop();
      const hasOtherSide = start !== null && otherSide.get(...scope, start, 1) !== undefined;
      if (direction === 'after') return { rows, hasBefore: hasOtherSide, hasAfter: goesOn };
      return { rows: rows.reverse(), hasBefore: goesOn, hasAfter: hasOtherSide };
    },
  };
}
