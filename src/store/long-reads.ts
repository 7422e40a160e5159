import { FairSemaphore, type GetSignal, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { Domain } from '../model/domain.ts';
import type { RecordFilter } from './record-filter.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/** Each keeps a processor busy, here or at the database: with two, one account's longest leaves room for the others. */
export const LONG_READS_AT_ONCE = 2;

/** Most take a millisecond: a page that shows the history of all of a customer's domains may ask for them at once. */
const MAX_WAITING_LONG_READS = 512;
export const MAX_WAITING_PER_ACCOUNT = 128;

/** About as long as people wait. */
const MAX_WAIT_MS = 10_000;

/** In ten seconds some ten million rows are looked at. */
export const LONG_READ_MS = 10_000;

const limits: SemaphoreLimits = {
  permits: LONG_READS_AT_ONCE,
  permitsPerKey: 1,
  maxWaiting: MAX_WAITING_LONG_READS,
  maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
  waitMs: MAX_WAIT_MS,
};

/** Reads whose cost grows with the rows they look at: a few at a time, one of an account, in fair order. */
export class LongReads {
  private readonly semaphore = new FairSemaphore(limits);

  /** @throws StoreBusy where too many wait */
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

/** What whoever asked is told of a read that was ended at its limit. */
export function tookTooLong(limitMs: number): StoreBusy {
  return new StoreBusy(
    `This took the database more than ${limitMs / 1000} seconds: ask for less, or try again`,
  );
}

/** What a filter looks at in less than a millisecond. */
const FEW_RECORDS = 1000;

/** Whether a list of records costs about the same however large the domain is: records of one name are never many. */
export function isShortList({ recordCount }: Domain, filter: RecordFilter | undefined): boolean {
  return filter === undefined || filter.owner !== undefined || recordCount <= FEW_RECORDS;
}
