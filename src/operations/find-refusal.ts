import type { Refusal } from '../model/refusal.ts';
import { StoreUnavailable } from '../store/store.ts';

/** The refusal that an error thrown by a use case stands for; undefined: our own bug. Nothing was committed in either case. */
export function findRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined;
  return { code: 'busy', message: 'The store is busy or away, nothing was changed, try again' };
}
