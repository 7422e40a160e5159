// Classifies the errors of the driver (SQLSTATE: PostgreSQL manual, appendix A).
import pg from 'pg';
import { StoreOpenError } from '../store.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

const UNDEFINED_TABLE = '42P01';

/** Returns undefined if the error does not come from the server. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** There was no answer or no connection; it is unknown what the server did. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The server asked for the password in a form that others on the way could read or use. */
export class PasswordWithheld extends Error {
  override readonly name = 'PasswordWithheld';
}

/** True for errors of class 28 (invalid authorization) and a database that does not exist. */
export function isLoginFailure(error: unknown): boolean {
  return error instanceof PasswordWithheld || /^(?:28|3D)/.test(sqlState(error) ?? '');
}

/** Complaints of the driver about a value are bugs; its other errors are about the connection. */
export function toConnectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError)
    return error;
  return new ConnectionLost(messageOf(error), { cause: error });
}

/** True for a constraint violation, a value that cannot be stored, or any other bug; retrying is useless. */
export function isOurFault(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:2[123]|42)/.test(state) && !isMissingAccess(state);
  return !(
    error instanceof ConnectionLost ||
    error instanceof StoreUnavailable ||
    error instanceof StoreOpenError
  );
}

/** True for a conflict with another transaction; an immediate retry on the same connection may succeed. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && ['40001', '40P01', '55P03'].includes(state);
}

/** True if the statement was cancelled at a limit of its session or by an operator. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** True if the server did nothing and keeps running. With errors of other classes it may be shutting down. */
export function isPlainRefusal(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !/^(?:08|53|57|58|F0|XX)/.test(state);
}

/** Converts a failure of the database into the error for callers of the store; bugs are returned unchanged. */
export function toStoreError(error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreOpenError) return error;
  if (isOurFault(error)) return error as Error;
  if (sqlState(error) === UNDEFINED_TABLE) return new StoreUnavailable(NO_TABLES, { cause: error });
  return new StoreUnavailable(`the database cannot be used: ${messageOf(error)}`, { cause: error });
}

/** Like `toStoreError`, for reads of an open store: problems that only the operator can fix become StoreUnavailable. */
export function toReadError(error: unknown): Error {
  if (error instanceof StoreOpenError) return new StoreUnavailable(error.message, { cause: error });
  return toStoreError(error);
}

/** Seen by a nameserver process that was started first. */
const NO_TABLES = 'the database has no tables yet: a process of role both or api creates them when it starts';

export function messageOf(error: unknown): string {
  // If several addresses were tried, the first error is enough.
  if (error instanceof AggregateError) return messageOf((error.errors as unknown[])[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Missing tables or missing privileges; the operator can fix both. */
function isMissingAccess(state: string): boolean {
  return state === UNDEFINED_TABLE || state === '42501';
}
