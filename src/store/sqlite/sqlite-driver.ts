// Picks the SQLite driver and gives its API the types that the rest of this folder uses. Knows no table.
import { StoreOpenError } from '../store.ts';

export type SqlValue = null | number | string | Uint8Array;
export type SqlRow = readonly SqlValue[];

/** The part of `DatabaseSync` in `node:sqlite` that the store uses. */
export interface SqliteDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    run: (...values: SqlRow) => SqlValue,
  ): void;
  close(): void;
}

/** The part of `StatementSync` in `node:sqlite` that the store uses. */
export interface SqliteStatement {
  run(...values: SqlRow): { readonly changes: number | bigint };
  get(...values: SqlRow): unknown;
  all(...values: SqlRow): unknown[];
  setReturnArrays(enabled: boolean): void;
}

/** A statement that returns rows as arrays, which is twice as fast as objects. */
export interface Query<Row extends SqlRow> {
  get(...values: SqlRow): Row | undefined;
  all(...values: SqlRow): Row[];
  /** Reads rows as they are needed; ending the loop ends the query. */
  iterate(...values: SqlRow): IterableIterator<Row>;
}

interface SqliteDriver {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

/** No other process writes, but an operator's `sqlite3` may hold a lock for a moment. */
export const BUSY_TIMEOUT_MS = 2000;

const driver = await loadDriver();

/** @throws StoreOpenError if no SQLite driver can be loaded */
export function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): SqliteDatabase {
  if (driver instanceof StoreOpenError) throw driver;
  const database = new driver.DatabaseSync(path, options);
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}

/**
 * SQLite plans a statement by the value of its limit, and so compiles it again for each execution: 8 µs, three times as long
 * as to find a row. It does not look behind a sign.
 */
const HIDDEN_LIMIT = 'LIMIT +?';

/** @param Row the selected columns, in order; not checked */
export function prepareQuery<Row extends SqlRow>(database: SqliteDatabase, sql: string): Query<Row> {
  const statement = database.prepare(sql.replaceAll('LIMIT ?', HIDDEN_LIMIT));
  statement.setReturnArrays(true);
  return statement as unknown as Query<Row>;
}

const emptyBlob = new Uint8Array(0);

/** Makes a blob fit to be bound: Node 22 binds an empty one that was read from a database, or cloned, as NULL. */
export function bindable(blob: Uint8Array): Uint8Array {
  return blob.length === 0 ? emptyBlob : blob;
}

/** Returns the primary result code (https://sqlite.org/rescode.html); undefined if the error is not one of SQLite. */
export function sqliteErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  // `all()` of the package throws errors without a code.
  return codesByMessage.get(error.message) ?? 1;
}

/** The messages of `sqlite3_errstr` for the codes that are told apart. */
const codesByMessage: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
]);

/**
 * Loads `node:sqlite` if it can return rows as arrays (Node 22.16 and 24.0 on) and is not disabled
 * (`--no-experimental-sqlite`), else the package with the same API.
 * A failure is returned, and thrown when a database is opened: services on PostgreSQL may need no SQLite.
 */
export async function loadDriver(
  version = process.versions.node,
  importPackage: () => Promise<SqliteDriver> = () => import('@photostructure/sqlite'),
): Promise<SqliteDriver | StoreOpenError> {
  const isNew = hasBuiltInDriver(version);
  const builtIn = isNew ? loadBuiltIn() : undefined;
  if (builtIn !== undefined) return builtIn;
  try {
    return await importPackage();
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const remedy = isNew ? 'start Node without --no-experimental-sqlite' : 'use Node 22.16 or later';
    return new StoreOpenError(
      `Node ${version} needs the package @photostructure/sqlite, which cannot be loaded (${reason}): install it, or ${remedy}`,
      { cause: error },
    );
  }
}

function hasBuiltInDriver(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 16);
}

/** Node 22 prints an ExperimentalWarning when the module is loaded, which is of no use to operators. */
function loadBuiltIn(): SqliteDriver | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite') as unknown as SqliteDriver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
