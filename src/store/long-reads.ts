import { FairSemaphore, type GetSignal, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/**
 * A place for long reads. Every read starts in the quick lane. If it exceeds that lane's time, it is stopped there and starts
 * again in the slow lane, so reads of other accounts wait for a short slice of it and never for all of it.
 */
export type ReadLane = 'quick' | 'slow';

interface LaneLimits {
  readonly atOnce: number;
  readonly limitMs: number;
}

export const readLanes: Readonly<Record<ReadLane, LaneLimits>> = {
  /** Enough for some 100,000 rows. Repeating so much work in the slow lane makes a read of seconds hardly longer. */
  quick: { atOnce: 1, limitMs: 100 },
  /**
   * Enough for some ten million rows. Each read keeps a processor busy, here or on the database server. With two, the
   * longest read of one account leaves room for others.
   */
  slow: { atOnce: 2, limitMs: 10_000 },
};

/** Most take a millisecond, and a page that shows the history of all domains of an account requests them all at once. */
const MAX_WAITING_LONG_READS = 512;
export const MAX_WAITING_PER_ACCOUNT = 128;

/** About as long as people are willing to wait. */
const MAX_WAIT_MS = 10_000;

function semaphoreLimits(lane: ReadLane): SemaphoreLimits {
  return {
    permits: readLanes[lane].atOnce,
    permitsPerKey: 1,
    maxWaiting: MAX_WAITING_LONG_READS,
    maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
    waitMs: MAX_WAIT_MS,
  };
}

/** Runs reads whose cost grows with the data: a few at a time, one per account in each lane, in fair order. */
export class LongReads {
  private readonly semaphores = {
    quick: new FairSemaphore(semaphoreLimits('quick')),
    slow: new FairSemaphore(semaphoreLimits('slow')),
  };

  /**
   * @param read rejects with `ReadTimedOut` at the time limit of the lane
   * @throws StoreBusy if too many reads wait
   */
  async run<T>(
    accountId: string,
    getSignal: GetSignal | undefined,
    read: (lane: ReadLane) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.runIn('quick', accountId, getSignal, read);
    } catch (error) {
      if (!(error instanceof ReadTimedOut)) throw error;
    }
    return await this.runIn('slow', accountId, getSignal, read);
  }

  private async runIn<T>(
    lane: ReadLane,
    accountId: string,
    getSignal: GetSignal | undefined,
    read: (lane: ReadLane) => Promise<T>,
  ): Promise<T> {
    const release = await this.semaphores[lane].acquire(accountId, getSignal);
    if (release === undefined) throw new StoreBusy('Too many searches are under way, try again');
    try {
      return await read(lane);
    } finally {
      release();
    }
  }
}

/** A read was stopped at its time limit. */
export class ReadTimedOut extends StoreBusy {
  constructor(limitMs: number) {
    super(`Query exceeded ${limitMs / 1000} s; narrow it or retry`);
  }
}
