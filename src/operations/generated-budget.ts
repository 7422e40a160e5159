// Limits the memory of records that `$GENERATE` makes: 36 octets of a zone file can make 200,000 records.
import { FairSemaphore, type GetSignal, type Release, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { GeneratedSize } from '../dns/zone-file/measure-generated.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/** The unit of the limits below. */
const PERMIT_OCTETS = 1024 * 1024;

/** A record with its place in the file, its command and its update: 200,000 records take about 300 MB. */
const RECORD_OCTETS = 1500;

/** Each character is in the data as shown, in the octets and in two copies of them. */
const CHARACTER_OCTETS = 4;

/** So much is part of every import. */
const FREE_OCTETS = PERMIT_OCTETS;

const limits: SemaphoreLimits = {
  /** The largest file and one of a third of its size. */
  permits: 512,
  /** The largest file: one at a time. */
  permitsPerKey: 384,
  // They wait with their short text. A text that is long itself has passed the gate for bodies.
  maxWaiting: 256,
  maxWaitingPerKey: 64,
  // Five of the largest files.
  waitMs: 10_000,
};

export class GeneratedBudget {
  private readonly semaphore = new FairSemaphore(limits);

  /** Waits for its turn. @throws StoreBusy if too many wait, or if the client has gone */
  async reserve(
    accountId: string,
    { records, characters }: GeneratedSize,
    getSignal?: GetSignal,
  ): Promise<Release> {
    const octets = records * RECORD_OCTETS + characters * CHARACTER_OCTETS;
    if (octets <= FREE_OCTETS) return () => undefined;
    const permits = Math.ceil(octets / PERMIT_OCTETS);
    const release = await this.semaphore.acquire(accountId, getSignal, permits);
    if (release === undefined) throw new StoreBusy('Too many whole zones are being imported; try again');
    return release;
  }
}
