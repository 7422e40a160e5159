// How many commands are prepared at the same time. Both engines use these limits.
import type { SemaphoreLimits } from '../base/fair-semaphore.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/**
 * Large commands that are prepared at the same time: each keeps a processor busy, and holds old and new rows of a zone in
 * memory, up to some 400 MB. Requests have reserved the memory of their bodies and results before.
 */
export const LARGE_AT_ONCE = 1;

/** Commands that wait hold their requests in memory; a large one takes seconds, so that more would only wait in vain. */
const MAX_WAITING = 64;
const MAX_WAITING_PER_ACCOUNT = 8;

/** About as long as people are willing to wait, and less than clients do. */
const MAX_WAIT_MS = 10_000;

/** @param atOnce commands of different accounts that are prepared at the same time */
export function preparingTurns(atOnce: number): SemaphoreLimits {
  return {
    permits: atOnce,
    permitsPerKey: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
    waitMs: MAX_WAIT_MS,
  };
}

/** For a command that the writer must not decide itself. */
export function basisMoved(): StoreBusy {
  return new StoreBusy('Other writes have changed each time what this large write rests on, try again');
}

export function tooManyPrepared(): StoreBusy {
  return new StoreBusy('Too many large writes and dry runs are under way, try again');
}
