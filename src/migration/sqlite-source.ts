import { existsSync } from 'node:fs';
import { StoreOpenError } from '../store/store.ts';
import { SLICE_ROWS, type MigrationSource, type StoreContent } from './store-content.ts';
import type { Row, StoreTable } from './store-tables.ts';
import { closeSnapshot } from '../store/sqlite/close-snapshot.ts';
import { lockFolder, refusePart, storePath, withSentence } from '../store/sqlite/open-store-files.ts';
import { openStoreForReading } from '../store/sqlite/open-store-for-reading.ts';
import { prepareQuery, type Query, type SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';

/** The first version whose tables have all the columns that are copied. */
export const OLDEST_READABLE_VERSION = 3;

/**
 * Opens a snapshot of the store in a data folder. While it is open, the write-ahead log grows with every write of a running
 * service.
 *
 * @param use `alone`: no service may run on the store until the source is closed; `shared`: one may
 * @throws StoreOpenError with one sentence
 */
export function openSqliteFolder(folder: string, use: 'alone' | 'shared'): MigrationSource {
  const path = storePath(folder);
  refusePart(folder);
  if (!existsSync(path)) throw new StoreOpenError(`there is no store in ${folder}`);
  const lock = use === 'alone' ? lockFolder(folder) : undefined;
  try {
    const database = openStoreForReading(path, OLDEST_READABLE_VERSION);
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      closeSnapshot(database);
      lock?.release();
    };
    return { place: `sqlite:${folder}`, ...readTables(database, path), close };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * Reads the tables as this connection sees them.
 *
 * @param path for error messages
 */
export function readTables(database: SqliteDatabase, path: string): StoreContent {
  const explained = <T>(read: () => T): T => withSentence(path, read);
  return {
    rowCount(table) {
      if (explained(() => isAbsent(database, table))) return 0;
      const sql = `SELECT count(*) FROM ${table.name}`;
      return explained(() => prepareQuery<[rows: number]>(database, sql).get())?.[0] ?? 0;
    },
    slices: (table) => readSlices(database, table, explained),
  };
}

function isAbsent(database: SqliteDatabase, { name, isLater }: StoreTable): boolean {
  if (!isLater) return false;
  return prepareQuery(database, 'SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) === undefined;
}

async function* readSlices(
  database: SqliteDatabase,
  table: StoreTable,
  explained: <T>(read: () => T) => T,
): AsyncGenerator<readonly Row[]> {
  if (explained(() => isAbsent(database, table))) return;
  const { first, after } = explained(() => prepareSlices(database, table));
  for (let rows = explained(() => first.all()); rows.length > 0;) {
    yield rows;
    if (rows.length < SLICE_ROWS) return;
    // Let signal handlers and other work of the process run.
    await new Promise((resolve) => setImmediate(resolve));
    const key = rows[rows.length - 1].slice(0, table.keyLength);
    rows = explained(() => after.all(...key));
  }
}

function prepareSlices(
  database: SqliteDatabase,
  { name, columns, keyLength }: StoreTable,
): { first: Query<Row>; after: Query<Row> } {
  const names = columns.map((column) => column.name);
  const existing = prepareQuery<[string]>(database, 'SELECT name FROM pragma_table_info(?)').all(name).flat();
  const values = names.map((column) => (existing.includes(column) ? column : 'NULL'));
  const key = names.slice(0, keyLength).join(', ');
  const marks = names.slice(0, keyLength).map(() => '?');
  const prepare = (where: string): Query<Row> =>
    prepareQuery(
      database,
      `SELECT ${values.join(', ')} FROM ${name} ${where} ORDER BY ${key} LIMIT ${SLICE_ROWS}`,
    );
  return { first: prepare(''), after: prepare(`WHERE (${key}) > (${marks.join(', ')})`) };
}
