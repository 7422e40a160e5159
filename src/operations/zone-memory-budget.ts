// Limits the memory of zones that are held as a whole: for checks, dry runs and earlier states.
import { FairSemaphore, type GetSignal, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, type Refused } from '../model/result.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/** The unit of the limits below. */
const PERMIT_OCTETS = 1024 * 1024;

/** Two of the largest zones of short records and two small zones; a third of what the process may use. */
export const MAX_CHECKED_OCTETS = 512 * 1024 * 1024;

/** One of the largest zones and one small one. */
export const MAX_PAST_OCTETS = 256 * 1024 * 1024;

/** One of the largest zones, so that one account cannot keep the others out. No zone can take more. */
const MAX_OCTETS_PER_ACCOUNT = 192 * 1024 * 1024;

/** Each zone in memory counts as at least this, so that at most eight are read at once: each has a database connection. */
const MIN_OCTETS = 64 * 1024 * 1024;

/** A record as an object, and what a check notes about it: 200,000 records take about 180 MB. */
const RECORD_OCTETS = 900;

const sharedLimits: Omit<SemaphoreLimits, 'permits'> = {
  permitsPerKey: MAX_OCTETS_PER_ACCOUNT / PERMIT_OCTETS,
  // Small zones take milliseconds. Bulk copies check many at a time, and should wait rather than be refused.
  maxWaiting: 64,
  maxWaitingPerKey: 48,
  // Two of the largest zones are checked in less.
  waitMs: 5_000,
};

/** Memory that is reserved for one zone, until it is released. */
export interface ZoneReservation {
  /** Returns the same records, and reserves more if they are longer than expected. @throws StoreBusy or ZoneTooLong */
  readonly measure: (records: readonly DomainRecord[]) => readonly DomainRecord[];
  readonly release: () => void;
}

export class ZoneMemoryBudget {
  private readonly semaphore: FairSemaphore;

  constructor(maxOctets: number) {
    this.semaphore = new FairSemaphore({ ...sharedLimits, permits: maxOctets / PERMIT_OCTETS });
  }

  /** Waits for its turn. @throws StoreBusy if too many wait, or if the client has gone */
  async reserve(accountId: string, recordCount: number, getSignal?: GetSignal): Promise<ZoneReservation> {
    const expected = permitsFor(Math.max(MIN_OCTETS, recordCount * RECORD_OCTETS));
    const release = await this.semaphore.acquire(accountId, getSignal, expected);
    if (release === undefined) throw busy();
    const releases = [release];
    let permits = Math.min(expected, sharedLimits.permitsPerKey);
    let octets = 0;
    return {
      measure: (records) => {
        for (const { data, rdata } of records) octets += RECORD_OCTETS + data.length + rdata.length;
        const missing = permitsFor(octets) - permits;
        if (missing > 0) {
          if (permits + missing > sharedLimits.permitsPerKey) throw new ZoneTooLong();
          const more = this.semaphore.tryAcquire(accountId, missing);
          if (more === undefined) throw busy();
          releases.push(more);
          permits += missing;
        }
        return records;
      },
      release: () => {
        for (const each of releases.splice(0)) each();
      },
    };
  }
}

function permitsFor(octets: number): number {
  return Math.ceil(octets / PERMIT_OCTETS);
}

function busy(): StoreBusy {
  return new StoreBusy('Too many whole zones are being read; try again');
}

/** A zone needs more memory than one account may use. */
export class ZoneTooLong extends Error {
  override readonly name = 'ZoneTooLong';
}

export function refuseTooLong(name: ZoneName): Refused {
  const mebibytes = MAX_OCTETS_PER_ACCOUNT / PERMIT_OCTETS;
  const message = `Domain ${quoteText(name)} takes more than ${mebibytes} MiB and cannot be read as a whole`;
  return refused('invalid_request', message);
}
