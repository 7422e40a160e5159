import { FairSemaphore, type GetSignal, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { Domain } from '../model/domain.ts';
import type { RecordFilter } from './record-filter.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/** Each keeps a processor busy, here or on the database server. With two, the longest read of one account leaves room for others. */
export const LONG_READS_AT_ONCE = 2;

/** Most take a millisecond, and a page that shows the history of all domains of an account requests them all at once. */
const MAX_WAITING_LONG_READS = 512;
export const MAX_WAITING_PER_ACCOUNT = 128;

/** About as long as people are willing to wait. */
const MAX_WAIT_MS = 10_000;

/** Enough to scan some ten million rows. */
export const LONG_READ_MS = 10_000;

const limits: SemaphoreLimits = {
  permits: LONG_READS_AT_ONCE,
  permitsPerKey: 1,
  maxWaiting: MAX_WAITING_LONG_READS,
  maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
  waitMs: MAX_WAIT_MS,
};

/** Runs reads whose cost grows with the data: a few at a time, one per account, in fair order. */
export class LongReads {
  private readonly semaphore = new FairSemaphore(limits);

  /** @throws StoreBusy if too many reads wait */
  async run<T>(accountId: string, getSignal: GetSignal | undefined, read: () => Promise<T>): Promise<T> {
    const release = await this.semaphore.acquire(accountId, getSignal);
    if (release === undefined) throw new StoreBusy('Too many searches are under way, try again');
    try {
      return await read();
    } finally {
      release();
    }
  }
}

/** The refusal of a read that was stopped at its time limit. */
export function queryTimedOut(limitMs: number): StoreBusy {
  return new StoreBusy(`Query exceeded ${limitMs / 1000} s; narrow it or retry`);
}

/** A filter scans so many records in less than a millisecond. */
const FEW_RECORDS = 1000;

/** Returns true if the cost of a list of records does not grow with the domain; one name never has many records. */
export function isShortList({ recordCount }: Domain, filter: RecordFilter | undefined): boolean {
  return filter === undefined || filter.owner !== undefined || recordCount <= FEW_RECORDS;
}
