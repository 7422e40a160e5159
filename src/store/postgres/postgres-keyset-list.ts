import type { Page, PageRequest } from '../store.ts';
import { AFTER_ALL_KEYS } from '../table-rows.ts';
import { keyText } from './key-text.ts';
import type { PostgresValue } from './postgres-connection.ts';
import type { ReadConnections } from './read-connections.ts';

export interface ListSource {
  readonly columns: string;
  readonly table: string;
  /** Holds `$1` and on for the scope values; empty for the whole table. */
  readonly where: string;
  /** Number of scope values; default: one, or none if `where` is empty. */
  readonly scopeLength?: number;
  /** Text; or numbers above 0, the largest first, written with dots between them. */
  readonly key: string | { readonly falling: readonly string[] };
  /** Returns the total in one row, or no row if the list no longer exists. Holds `$1` if `where` does. */
  readonly total: string;
}

/** A list read in pages by key: pages stay stable while rows are added or removed, and cost the same at any depth. */
export interface KeysetList<Row> {
  /** Reads rows, total and neighbours with one statement, and so from one snapshot. */
  read(scope: readonly PostgresValue[], page: PageRequest): Promise<Page<Row>>;
}

export function createKeysetList<Row extends readonly unknown[]>(
  connections: ReadConnections,
  source: ListSource,
): KeysetList<Row> {
  const rising = pageQuery(source, '>', '<=', 'ASC');
  const falling = pageQuery(source, '<', '>=', 'DESC');
  const isFalling = typeof source.key === 'object';
  const keys = keysOf(source);
  const lowest = isFalling ? keys.map(() => 0) : [''];
  const highest = isFalling ? keys.map(() => Number.MAX_SAFE_INTEGER) : [AFTER_ALL_KEYS];
  return {
    async read(scope, { direction, key, limit }) {
      const isAfter = direction === 'after';
      const goesUp = isAfter !== isFalling;
      const given = key === null ? null : isFalling ? key.split('.').map(Number) : [keyText(key)];
      const start = given ?? (goesUp ? lowest : highest);
      type Found = [total: number, hasOtherSide: boolean, isRow: true | null, ...row: Row];
      const values = [...scope, ...start, limit + 1];
      const found = await connections.query<Found>(goesUp ? rising : falling, values);
      if (found.length === 0) return { rows: [], hasBefore: false, hasAfter: false, total: 0 };
      const [total, isOtherSide] = found[0];
      const rows = found.filter(([, , isRow]) => isRow).map(([, , , ...row]) => row as unknown as Row);
      const goesOn = rows.length > limit;
      if (goesOn) rows.pop();
      const hasOtherSide = key !== null && isOtherSide;
      if (isAfter) return { rows, hasBefore: hasOtherSide, hasAfter: goesOn, total };
      return { rows: rows.reverse(), hasBefore: goesOn, hasAfter: hasOtherSide, total };
    },
  };
}

/** One row with nulls if the page is empty. */
function pageQuery(source: ListSource, comparison: string, otherSide: string, order: string): string {
  const { columns, table, where, total, scopeLength = where === '' ? 0 : 1 } = source;
  const keys = keysOf(source);
  const scoped = where === '' ? '' : `${where} AND`;
  const start = `(${keys.map((_, i) => `$${scopeLength + 1 + i}`).join(', ')})`;
  const limit = `$${scopeLength + keys.length + 1}`;
  const key = `(${keys.join(', ')})`;
  return `
    SELECT list.total, EXISTS (SELECT FROM ${table} WHERE ${scoped} ${key} ${otherSide} ${start}), page.*
    FROM (${total}) list (total)
    LEFT JOIN (
      SELECT true, ${columns} FROM ${table} WHERE ${scoped} ${key} ${comparison} ${start}
      ORDER BY ${keys.map((one) => `${one} ${order}`).join(', ')} LIMIT ${limit}::bigint) page ON true`;
}

function keysOf({ key }: ListSource): readonly string[] {
  return typeof key === 'object' ? key.falling : [key];
}
