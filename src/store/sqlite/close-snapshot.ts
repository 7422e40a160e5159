import type { SqliteDatabase } from './sqlite-driver.ts';

/**
 * Closes a connection that may have a transaction open to read in. Closing alone would leave the moment that it sees, and
 * its lock, open until its statements are collected. Rolled back, because a damaged file lets nothing be committed.
 */
export function closeSnapshot(database: SqliteDatabase): void {
  if (database.isTransaction) database.exec('ROLLBACK');
  database.close();
}
