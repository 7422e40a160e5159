import { Turns, type TurnLimits, type WhenGone } from '../base/turns.ts';
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

const limits: TurnLimits = {
  atOnce: LONG_READS_AT_ONCE,
  atOnceEach: 1,
  waiting: MAX_WAITING_LONG_READS,
  waitingEach: MAX_WAITING_PER_ACCOUNT,
  waitMs: MAX_WAIT_MS,
};

/** Reads whose cost grows with the rows they look at: a few at a time, one of an account, in fair order. */
export class LongReads {
  private readonly turns = new Turns(limits);

  /** @throws StoreBusy where too many wait */
  async run<T>(accountId: string, whenGone: WhenGone | undefined, read: () => Promise<T>): Promise<T> {
    const end = await this.turns.take(accountId, whenGone);
    if (end === undefined) throw new StoreBusy('Too many searches are under way, try again');
    try {
      return await read();
    } finally {
      end();
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
