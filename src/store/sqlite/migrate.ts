import { StoreOpenError } from '../store.ts';
import { inTransaction } from './in-transaction.ts';
import { migrations, type Migration } from './migrations/migrations.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** "ZNWR": identifies the file among SQLite databases (https://sqlite.org/fileformat2.html, offset 68). */
export const APPLICATION_ID = 0x5a4e5752;

/**
 * Brings the tables up to date, each migration in a transaction of its own.
 *
 * @throws StoreOpenError if the file has a newer version or belongs to another program
 */
export function migrate(
  database: SqliteDatabase,
  path: string,
  nowMs: number,
  steps: readonly Migration[] = migrations,
): void {
  const version = pragma(database, 'user_version');
  const newest = steps.length;
  if (version > newest) {
    throw new StoreOpenError(
      `${path} is a store of version ${version}, this program knows versions up to ${newest}: start the newer program`,
    );
  }
  const applicationId = pragma(database, 'application_id');
  const isEmpty = pragma(database, 'schema_version') === 0;
  if (applicationId !== APPLICATION_ID && !(isEmpty && applicationId === 0)) {
    throw new StoreOpenError(`${path} is a database of another program`);
  }
  for (const step of steps.slice(version)) apply(database, step, nowMs);
}

function apply(database: SqliteDatabase, { number, name, sql }: Migration, nowMs: number): void {
  inTransaction(database, () => {
    database.exec(`
      CREATE TABLE IF NOT EXISTS migrations (
        number  INTEGER PRIMARY KEY,
        name    TEXT NOT NULL,
        at      INTEGER NOT NULL -- milliseconds
      ) STRICT`);
    database.exec(sql);
    database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(number, name, nowMs);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${number}`);
  });
}

function pragma(database: SqliteDatabase, name: string): number {
  return prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
}
