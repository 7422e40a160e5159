// The tables of people in PostgreSQL: reads for use cases, the rows that a batch needs, and the writes of a batch.
import {
  peopleTables,
  type FindPeople,
  type PeopleRows,
  type PeopleTable,
  type PeopleWrites,
} from '../../writes/people-rows.ts';
import {
  columnList,
  peopleColumns,
  type PeopleCell,
  type PeopleColumns,
  type PeopleReads,
} from '../people-columns.ts';
import { forRows } from './for-rows.ts';
import { keyText } from './key-text.ts';
import type { Statement } from './postgres-connection.ts';
import type { ReadConnections } from './read-connections.ts';
import { WantedRows } from './wanted-rows.ts';

/** @param read runs a read while the store is open */
export function createPeopleReads(
  connections: ReadConnections,
  read: <T>(run: () => Promise<T>) => Promise<T>,
): PeopleReads {
  return {
    find: <T extends PeopleTable>(table: T, lookUp: string, values: readonly string[]) =>
      read(async () => {
        const columns = peopleColumns[table] as PeopleColumns<PeopleRows[T]>;
        const cells = await connections.query<PeopleCell[]>(findQuery(table, lookUp), [values.map(keyText)]);
        return cells.map(columns.toRow);
      }),
  };
}

/** The rows of people that one batch asks for, by table and by the member that finds them. */
export class WantedPeople {
  private readonly wanted = new Map<string, WantedKind>();

  readonly find: FindPeople = <T extends PeopleTable>(table: T, lookUp: string, value: string) =>
    (this.kind(table, lookUp).wanted.get(value) ?? []) as PeopleRows[T][];

  want(table: PeopleTable, lookUp: string, value: string): void {
    this.kind(table, lookUp).wanted.want(value);
  }

  /** The kinds of rows that have been asked for, as `RowLoader` needs them. */
  kinds(): Iterable<WantedKind> {
    return this.wanted.values();
  }

  private kind(table: PeopleTable, lookUp: string): WantedKind {
    const place = `${table} ${lookUp}`;
    let kind = this.wanted.get(place);
    if (kind === undefined) this.wanted.set(place, (kind = createKind(table, lookUp)));
    return kind;
  }
}

type WantedKind = ReturnType<typeof createKind>;

function createKind(table: PeopleTable, lookUp: string) {
  const wanted = new WantedRows<unknown[]>();
  const { columns, lookUps, toRow } = peopleColumns[table] as PeopleColumns<unknown>;
  const place = columns.findIndex(({ name }) => name === lookUps[lookUp]);
  return {
    text: findQuery(table, lookUp),
    wanted,
    values: (values: string[]) => [values.map(keyText)],
    put: (cells: PeopleCell[]) => wanted.add(String(cells[place]), toRow(cells)),
  };
}

/** Removed rows go first: a new row may have their unique values. */
export function peopleStatements(writes: PeopleWrites): Statement[] {
  return peopleTables.flatMap((table) => {
    const { columns, keyLength } = peopleColumns[table] as PeopleColumns<unknown>;
    const { remove, put } = writeQueries[table];
    const cells = columns.map(({ cellOf }) => cellOf);
    return [
      ...forRows<unknown>(remove, writes[table].deleted, cells.slice(0, keyLength)),
      ...forRows<unknown>(put, writes[table].put, cells),
    ];
  });
}

function findQuery(table: PeopleTable, lookUp: string): string {
  const all = peopleColumns[table] as PeopleColumns<unknown>;
  const key = all.columns.slice(0, all.keyLength).map(({ name }) => name);
  return `SELECT ${columnList(all)} FROM ${table} WHERE ${all.lookUps[lookUp]} = ANY ($1) ORDER BY ${key.join(', ')}`;
}

const writeQueries = Object.fromEntries(
  peopleTables.map((table) => [table, writeQueriesOf(table, peopleColumns[table] as PeopleColumns<unknown>)]),
) as Record<PeopleTable, ReturnType<typeof writeQueriesOf>>;

function writeQueriesOf(table: PeopleTable, all: PeopleColumns<unknown>) {
  const { columns, keyLength } = all;
  const key = columns.slice(0, keyLength).map(({ name }) => name);
  const arrays = columns.map(({ kind }, at) => `$${at + 1}::${kind === 'text' ? 'text' : 'bigint'}[]`);
  const others = columns.slice(keyLength).map(({ name }) => `${name} = excluded.${name}`);
  return {
    remove: `DELETE FROM ${table} USING unnest(${arrays.slice(0, keyLength).join(', ')}) AS old (${key.join(', ')})
      WHERE ${key.map((name) => `${table}.${name} = old.${name}`).join(' AND ')}`,
    put: `INSERT INTO ${table} (${columnList(all)}) SELECT * FROM unnest(${arrays.join(', ')})
      ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${others.join(', ')}`,
  };
}
