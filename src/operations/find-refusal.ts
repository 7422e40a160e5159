import type { Refusal } from '../model/refusal.ts';
import { CommitInDoubt, StoreBusy, StoreUnavailable } from '../writes/store-errors.ts';

/**
 * Returns the refusal for an error thrown by a use case; undefined if the error is a bug. Nothing was committed in either
 * case, unless `isCommitInDoubt`.
 */
export function findRefusal(error: unknown): Refusal | undefined {
  if (error instanceof StoreBusy) return { code: 'busy', message: error.message };
  if (!(error instanceof StoreUnavailable)) return undefined;
  return { code: 'busy', message: 'The store is busy or unavailable and nothing was changed; try again' };
}

/** Returns true if it is unknown whether a write was committed, so that no answer would be correct. */
export function isCommitInDoubt(error: unknown): boolean {
  return error instanceof CommitInDoubt;
}
