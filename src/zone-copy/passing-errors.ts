import { StoreOpenError } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { UnknownChange } from './apply-changes.ts';

/** The database is about to be restored, or is the wrong one; the zones of the copy are still served. */
export class NeverWritten extends Error {
  override readonly name = 'NeverWritten';
  override readonly message = 'nothing was ever written to the database, while the copy holds zones';
}

/** True if the copy is still usable: the database is unreachable, or the operator has to fix it. */
export function isPassing(error: unknown): error is Error {
  return [StoreUnavailable, StoreOpenError, NeverWritten, UnknownChange].some(
    (kind) => error instanceof kind,
  );
}
