// Picks the SQLite driver and gives its API the types that the rest of this folder uses. Knows no table.

export type SqlValue = null | number | string | Uint8Array;
export type SqlRow = readonly SqlValue[];

/** What is used of `DatabaseSync` in `node:sqlite`. */
export interface SqliteDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** What is used of `StatementSync` in `node:sqlite`. */
export interface SqliteStatement {
  run(...values: SqlRow): { readonly changes: number | bigint };
  get(...values: SqlRow): unknown;
  all(...values: SqlRow): unknown[];
  setReturnArrays(enabled: boolean): void;
}

/** A statement whose rows are arrays of known columns: twice as fast to read as objects. */
export interface Query<Row extends SqlRow> {
  get(...values: SqlRow): Row | undefined;
  all(...values: SqlRow): Row[];
}

interface SqliteDriver {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
  readonly StatementSync?: { readonly prototype: object };
}

/** Nobody else writes; but an operator's `sqlite3` may hold a lock for a moment. */
export const BUSY_TIMEOUT_MS = 2000;

const driver = await loadDriver();

export function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): SqliteDatabase {
  const database = new driver.DatabaseSync(path, options);
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}

/** @param Row the selected columns, in order; the caller answers for it. */
export function prepareQuery<Row extends SqlRow>(database: SqliteDatabase, sql: string): Query<Row> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement as unknown as Query<Row>;
}

/** SQLite's primary result code (https://sqlite.org/rescode.html); undefined: the error is not SQLite's. */
export function sqliteErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 1;
}

/** The built-in where it can return rows as arrays (Node 22.16 and later), else the package with the same API. */
async function loadDriver(): Promise<SqliteDriver> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 22) {
    const builtIn = process.getBuiltinModule('node:sqlite') as SqliteDriver | undefined;
    if (builtIn?.StatementSync !== undefined && 'setReturnArrays' in builtIn.StatementSync.prototype)
      return builtIn;
  }
  return await import('@photostructure/sqlite');
}
