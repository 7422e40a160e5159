// The tables of people in SQLite: reads for use cases and batches, and the writes of a batch.
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
import { answer } from './answer-read.ts';
import { prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';

/** Statements are prepared on first use: most batches read nothing about people. */
export function createPeopleFinder(database: SqliteDatabase): FindPeople {
  const queries = new Map<string, Query<PeopleCell[]>>();
  return <T extends PeopleTable>(table: T, lookUp: string, value: string): readonly PeopleRows[T][] => {
    const place = `${table} ${lookUp}`;
    const columns = peopleColumns[table] as PeopleColumns<PeopleRows[T]>;
    let query = queries.get(place);
    if (query === undefined) {
      const order = keyColumns(columns).join(', ');
      query = prepareQuery(
        database,
        `SELECT ${columnList(columns)} FROM ${table} WHERE ${columns.lookUps[lookUp]} = ? ORDER BY ${order}`,
      );
      queries.set(place, query);
    }
    return query.all(value).map(columns.toRow);
  };
}

export function createPeopleReads(database: SqliteDatabase): PeopleReads {
  const find = createPeopleFinder(database);
  return {
    find: (table, lookUp, values) =>
      answer(() => [...new Set(values)].flatMap((value) => find(table, lookUp, value))),
  };
}

export function createPeopleWriter(database: SqliteDatabase): (writes: PeopleWrites) => void {
  const writers = peopleTables.map((table) => createTableWriter(database, table));
  return (writes) => {
    for (const write of writers) write(writes);
  };
}

interface KeyColumns {
  readonly columns: readonly { readonly name: string }[];
  readonly keyLength: number;
}

/** Removed rows go first: a new row may have their unique values. */
function createTableWriter(database: SqliteDatabase, table: PeopleTable): (writes: PeopleWrites) => void {
  const all = peopleColumns[table] as PeopleColumns<unknown>;
  const { columns, keyLength } = all;
  const isKey = keyColumns(all)
    .map((name) => `${name} = ?`)
    .join(' AND ');
  const remove = database.prepare(`DELETE FROM ${table} WHERE ${isKey}`);
  const others = columns.slice(keyLength).map(({ name }) => `${name} = excluded.${name}`);
  const put = database.prepare(
    `INSERT INTO ${table} (${columnList(all)}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (${keyColumns(all).join(', ')}) DO UPDATE SET ${others.join(', ')}`,
  );
  return (writes) => {
    const { deleted, put: rows } = writes[table];
    for (const row of deleted) remove.run(...columns.slice(0, keyLength).map(({ cellOf }) => cellOf(row)));
    for (const row of rows) put.run(...columns.map(({ cellOf }) => cellOf(row)));
  };
}

function keyColumns({ columns, keyLength }: KeyColumns): string[] {
  return columns.slice(0, keyLength).map(({ name }) => name);
}
