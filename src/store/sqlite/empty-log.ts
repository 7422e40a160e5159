import { sqliteErrorCode, type SqliteDatabase } from './sqlite-driver.ts';

const SQLITE_FULL = 13;

/**
 * Moves everything from the write-ahead log into the store's file. On a full disk all stays in the log, where it is as
 * safe and as readable.
 */
export function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (sqliteErrorCode(error) !== SQLITE_FULL) throw error;
  }
}
