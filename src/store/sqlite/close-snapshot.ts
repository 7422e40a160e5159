import type { SqliteDatabase } from './sqlite-driver.ts';

/**
 * Closes a connection that may have a read transaction. Closing alone would keep its snapshot and lock until its statements
 * are garbage-collected. It is rolled back, because COMMIT fails on a damaged file.
 */
export function closeSnapshot(database: SqliteDatabase): void {
  if (database.isTransaction) database.exec('ROLLBACK');
  database.close();
}
