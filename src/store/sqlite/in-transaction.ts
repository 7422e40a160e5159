import type { SqliteDatabase } from './sqlite-driver.ts';

/** Runs `work` in a transaction of its own: all that it writes is committed, or, where it throws, nothing. */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite rolls some failures back by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
