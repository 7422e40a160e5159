import type { Parsed } from '../base/parsed.ts';
import type { RecordsChanged } from './record-changes.ts';
import type { Refusal, RefusalCode } from './refusal.ts';
import type { ZoneWarning } from './zone-warning.ts';

/** A value, or the refusal that says why there is none. */
export type Result<T> = Success<T> | Refused;

/** The result of a read: with the version of the domain that the value belongs to. */
export type ReadResult<T> = ReadSuccess<T> | Refused;

/** The result of a write: with the domain's new version and what the write did. */
export type WriteResult<T> = WriteSuccess<T> | Refused;

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

export interface ReadSuccess<T> extends Success<T> {
  /** The domain's serial; present if the value shows the domain itself and the domain exists. */
  readonly serial?: number;
  /** The domain's revision (`revisionOf`); present if the value belongs to an existing domain. */
  readonly revision?: string;
  /** With the history of a domain: the serial to which it reaches back. */
  readonly historyStart?: number | undefined;
}

export interface WriteSuccess<T> extends ReadSuccess<T> {
  /** False if everything that the write asks for was already so. */
  readonly changed: boolean;
  /** Dry runs only: what would change. Nothing was written; `value` is what it would be afterwards. */
  readonly difference?: RecordsChanged;
  /** Added by the operation to dry runs, and to writes on request: likely mistakes in the domain afterwards. */
  readonly warnings?: readonly ZoneWarning[];
}

export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

export function written<T>(value: T, changed = true): WriteSuccess<T> {
  return { ok: true, value, changed };
}

/** @param field the request member at fault */
export function refused(code: RefusalCode, message: string, field?: string): Refused {
  return { ok: false, refusal: field === undefined ? { code, message } : { code, message, field } };
}

/** The parsed value of a request member; malformed text is refused under the member's name. */
export function memberResult<T>(field: string, input: Parsed<T>): Result<T> {
  return input.ok ? input : refused('invalid_request', input.problem, field);
}

/**
 * Combines the refusals among the results into one.
 *
 * @param results at least one of them refused; a refusal that occurs twice counts once
 */
export function refuseAll(results: readonly Result<unknown>[]): Refused {
  const [first, ...besides] = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal])));
  return { ok: false, refusal: besides.length === 0 ? first : { ...first, besides } };
}
