import { FairSemaphore, type SemaphoreLimits } from '../base/fair-semaphore.ts';

/** Exports take minutes, so that none waits for another one. Each holds some megabytes. */
const limits: SemaphoreLimits = {
  permits: 8,
  permitsPerKey: 1,
  maxWaiting: 0,
  maxWaitingPerKey: 0,
  waitMs: 0,
};

/** The exports of whole accounts, by account. */
export function createAccountExports(): FairSemaphore {
  return new FairSemaphore(limits);
}
