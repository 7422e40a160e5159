// What an error of the driver means for the work that met it (SQLSTATE: PostgreSQL manual, appendix A).
import pg from 'pg';
import { StoreOpenError, StoreUnavailable } from '../store.ts';

/** Undefined: the error is not the server's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** A row that contradicts another or cannot be stored: a bug of ours that one command laid bare; trying again is no use. */
export function isOurFault(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined) return error instanceof TypeError || error instanceof RangeError;
  return /^(?:2[123]|42)/.test(state) && !isMissingAccess(state);
}

/** Another transaction was in the way: the same work may succeed at once, on the same connection. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && ['40001', '40P01', '55P03'].includes(state);
}

/** Whether the server said that this statement failed and went on: anything else may have been done nevertheless. */
export function isPlainRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** What callers of the store are told of a database's failure; our own bugs stay what they are. */
export function toStoreError(error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreOpenError) return error;
  if (isOurFault(error)) return error as Error;
  return new StoreUnavailable(`the database cannot be used: ${messageOf(error)}`, { cause: error });
}

export function messageOf(error: unknown): string {
  // Of several addresses tried, the first says enough.
  if (error instanceof AggregateError) return messageOf((error.errors as unknown[])[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Tables that are not there yet, or a right that is not granted: the operator's matter, and it may pass. */
function isMissingAccess(state: string): boolean {
  return state === '42P01' || state === '42501';
}
