import type { Refusal } from '../model/refusal.ts';
import { CommitInDoubt, StoreBusy, StoreUnavailable } from '../writes/store-errors.ts';

/**
 * The refusal that an error thrown by a use case stands for; undefined: our own bug. Nothing was committed in either
 * case, unless `isCommitInDoubt`.
 */
export function findRefusal(error: unknown): Refusal | undefined {
  if (error instanceof StoreBusy) return { code: 'busy', message: error.message };
  if (!(error instanceof StoreUnavailable)) return undefined;
  return { code: 'busy', message: 'The store is busy or away, nothing was changed, try again' };
}

/** Whether a write may or may not have been committed, so that no answer would be true. */
export function isCommitInDoubt(error: unknown): boolean {
  return error instanceof CommitInDoubt;
}
