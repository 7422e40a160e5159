import { StoreUnavailable } from '../../writes/store-errors.ts';
import { sqliteErrorCode } from './sqlite-driver.ts';

/** Makes the result of a read on this thread a promise; it rejects with StoreUnavailable if SQLite fails. */
export function answer<T>(read: () => T): Promise<T> {
  try {
    return Promise.resolve(read());
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    if (sqliteErrorCode(reason) === undefined) return Promise.reject(reason);
    return Promise.reject(
      new StoreUnavailable(`the store cannot be read: ${reason.message}`, { cause: reason }),
    );
  }
}
