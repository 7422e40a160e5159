import { StoreOpenError } from '../store.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';

const SQLITE_BUSY = 5;

export interface StoreLock {
  release(): void;
}

/**
 * Takes the store for this process alone, for life. The lock is SQLite's own on a file beside the store, so the
 * system drops it with the process, however that ends.
 */
export function lockStore(path: string, folder: string): StoreLock {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (sqliteErrorCode(error) !== SQLITE_BUSY) throw error;
    throw new StoreOpenError(`another process is already running on the store in ${folder}`);
  }
  return { release: () => database.close() };
}
