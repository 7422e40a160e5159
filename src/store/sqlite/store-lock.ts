import { StoreOpenError } from '../store.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';

const SQLITE_BUSY = 5;

/** The child processes of a service that was killed hold its lock until they notice: some milliseconds, on a busy machine more. */
const LOCK_WAIT_MS = 2000;

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
    database.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}; BEGIN EXCLUSIVE`);
  } catch (error) {
    database.close();
    if (sqliteErrorCode(error) !== SQLITE_BUSY) throw error;
    throw new StoreOpenError(`another process is already running on the store in ${folder}`);
  }
  return { release: () => database.close() };
}
