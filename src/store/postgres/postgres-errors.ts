// What an error of the driver means for the work that met it (SQLSTATE: PostgreSQL manual, appendix A).
import pg from 'pg';
import { StoreOpenError } from '../store.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

const UNDEFINED_TABLE = '42P01';

/** Undefined: the error is not the server's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** No answer came, or no connection: nobody knows what the server did of it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Of what the driver says, its own complaints about a value are our bugs, and the rest is about the connection. */
export function toConnectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError)
    return error;
  return new ConnectionLost(messageOf(error), { cause: error });
}

/** A row that contradicts another or cannot be stored, or any bug that a command laid bare: trying again is no use. */
export function isOurFault(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:2[123]|42)/.test(state) && !isMissingAccess(state);
  return !(
    error instanceof ConnectionLost ||
    error instanceof StoreUnavailable ||
    error instanceof StoreOpenError
  );
}

/** Another transaction was in the way: the same work may succeed at once, on the same connection. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && ['40001', '40P01', '55P03'].includes(state);
}

/** The statement was ended at its session's limit, or by an operator. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** The server says that it did nothing of this and goes on. With the other classes it may be on its way down. */
export function isPlainRefusal(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !/^(?:08|53|57|58|F0|XX)/.test(state);
}

/** What callers of the store are told of a database's failure; our own bugs stay what they are. */
export function toStoreError(error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreOpenError) return error;
  if (isOurFault(error)) return error as Error;
  if (sqlState(error) === UNDEFINED_TABLE) return new StoreUnavailable(noTables, { cause: error });
  return new StoreUnavailable(`the database cannot be used: ${messageOf(error)}`, { cause: error });
}

/** As `toStoreError`, for who asks a store that is open: what only the operator can mend is away for them. */
export function toReadError(error: unknown): Error {
  if (error instanceof StoreOpenError) return new StoreUnavailable(error.message, { cause: error });
  return toStoreError(error);
}

/** Of a nameserver process that was started first. */
const noTables = 'the database has no tables yet: a process of role both or api makes them when it starts';

export function messageOf(error: unknown): string {
  // Of several addresses tried, the first says enough.
  if (error instanceof AggregateError) return messageOf((error.errors as unknown[])[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Tables that are not there yet, or a right that is not granted: the operator's matter, and it may pass. */
function isMissingAccess(state: string): boolean {
  return state === UNDEFINED_TABLE || state === '42501';
}
