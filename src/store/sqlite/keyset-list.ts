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

export interface ListSource {
  readonly columns: string;
  readonly table: string;
  /** With one `?` for each scope value; empty for the whole table. */
  readonly where: string;
  /** Text; or numbers above 0, the largest first, of which a key has all with points between. */
  readonly key: string | { readonly falling: readonly string[] };
}

/** A list read in pages by key: stable while rows come and go, and as quick at any depth. */
export interface KeysetList<Row> {
  read(scope: readonly SqlValue[], page: PageRequest): Omit<Page<Row>, 'total'>;
}

export function createKeysetList<Row extends SqlRow>(
  database: SqliteDatabase,
  { columns, table, where, key }: ListSource,
): KeysetList<Row> {
  const isFalling = typeof key === 'object';
  const keys = isFalling ? key.falling : [key];
  const scoped = where === '' ? '' : `${where} AND`;
  const prepare = <R extends SqlRow>(selected: string, comparison: string, order: string): Query<R> =>
    prepareQuery<R>(
      database,
      `SELECT ${selected} FROM ${table}
       WHERE ${scoped} (${keys.join(', ')}) ${comparison} (${keys.map(() => '?').join(', ')})
       ORDER BY ${keys.map((one) => `${one} ${order}`).join(', ')} LIMIT ?`,
    );
  const rising = prepare<Row>(columns, '>', 'ASC');
  const falling = prepare<Row>(columns, '<', 'DESC');
  const anyUpTo = prepare('1', '<=', 'DESC');
  const anyFrom = prepare('1', '>=', 'ASC');
  const lowest = isFalling ? keys.map(() => 0) : [''];
  const highest = isFalling ? keys.map(() => Number.MAX_SAFE_INTEGER) : [AFTER_ALL_KEYS];
  return {
    read(scope, { direction, key: given, limit }) {
      const start = given === null ? null : isFalling ? given.split('.').map(Number) : [given];
      const goesUp = (direction === 'after') !== isFalling;
      const query = goesUp ? rising : falling;
      const otherSide = goesUp ? anyUpTo : anyFrom;
      const rows = query.all(...scope, ...(start ?? (goesUp ? lowest : highest)), limit + 1);
      const goesOn = rows.length > limit;
      if (goesOn) rows.pop();
      const hasOtherSide = start !== null && otherSide.get(...scope, ...start, 1) !== undefined;
      if (direction === 'after') return { rows, hasBefore: hasOtherSide, hasAfter: goesOn };
      return { rows: rows.reverse(), hasBefore: goesOn, hasAfter: hasOtherSide };
    },
  };
}
