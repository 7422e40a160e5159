import { StoreOpenError } from '../store.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';

const SQLITE_BUSY = 5;

export interface StoreLock {
  release(): void;
}

/**
 * Locks the store for the lifetime of this process. The lock is SQLite's own lock on a file beside the store, so the system
 * releases it when the process ends for any reason.
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
