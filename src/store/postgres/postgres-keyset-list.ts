import type { Page, PageRequest } from '../store.ts';
import { keyText } from './key-text.ts';
import type { PostgresValue } from './postgres-connection.ts';
import type { ReadConnections } from './read-connections.ts';

/** After every key in byte order: names and ids are printable ASCII. */
const AFTER_ALL_KEYS = '\u{7f}';

interface ListSource {
  readonly columns: string;
  readonly table: string;
  /** With `$1` for the scope's value; empty for the whole table. */
  readonly where: string;
  readonly key: string;
  /** Gives the total in one row, or no row: there is no such list any more. With `$1` where `where` has it. */
  readonly total: string;
}

/** A list read in pages by key: stable while rows come and go, and as quick at any depth. */
export interface KeysetList<Row> {
  /** Rows, total and what lies around, from one snapshot: in one statement. */
  read(scope: readonly PostgresValue[], page: PageRequest): Promise<Page<Row>>;
}

export function createKeysetList<Row extends readonly unknown[]>(
  connections: ReadConnections,
  source: ListSource,
): KeysetList<Row> {
  const after = pageQuery(source, '>', '<=', 'ASC');
  const before = pageQuery(source, '<', '>=', 'DESC');
  return {
    async read(scope, { direction, key, limit }) {
      const isAfter = direction === 'after';
      const start = key === null ? (isAfter ? '' : AFTER_ALL_KEYS) : keyText(key);
      type Found = [total: number, hasOtherSide: boolean, isRow: true | null, ...row: Row];
      const values = [...scope, start, limit + 1];
      const found = await connections.query<Found>(isAfter ? after : before, values);
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

/** One row with nulls for the page's where the page is empty. */
function pageQuery(
  { columns, table, where, key, total }: ListSource,
  comparison: string,
  otherSide: string,
  order: string,
): string {
  const scoped = where === '' ? '' : `${where} AND`;
  const [start, limit] = where === '' ? ['$1', '$2'] : ['$2', '$3'];
  return `
    SELECT list.total, EXISTS (SELECT FROM ${table} WHERE ${scoped} ${key} ${otherSide} ${start}), page.*
    FROM (${total}) list (total)
    LEFT JOIN (
      SELECT true, ${columns} FROM ${table} WHERE ${scoped} ${key} ${comparison} ${start}
      ORDER BY ${key} ${order} LIMIT ${limit}::bigint) page ON true`;
}
