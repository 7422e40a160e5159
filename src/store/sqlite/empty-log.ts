import { sqliteErrorCode, type SqliteDatabase } from './sqlite-driver.ts';

const SQLITE_FULL = 13;

/**
 * Moves everything from the write-ahead log into the file of the store. If the disk is full, the data stays in the log,
 * where it is just as safe and readable.
 */
export function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (sqliteErrorCode(error) !== SQLITE_FULL) throw error;
  }
}
