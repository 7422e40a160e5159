// The memory of large work, shared out by account: bodies of imports and batches, records that are made of them, zones that
// are held as a whole for checks, dry runs and earlier states, and results that are kept for an answer.
//
//   const share = await context.workMemory.reserve(accountId, octets, getSignal);   waits for its turn
//   await share.extendTo(octets, getSignal);                                        when more is known
//   share.release();                                                                when the answer has been sent
//
// A request has one share, and extends it at most twice: before a write, and for the warnings after it. A small share waits
// in another queue each time, and a large share is extended at once or not at all: requests never wait for each other in a
// circle.
import { FairSemaphore, type GetSignal, type Release, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import { StoreBusy } from '../writes/store-errors.ts';

const MEBIBYTE = 1024 * 1024;

/** The setting's default. The largest import takes most of it. */
export const DEFAULT_WORK_MEMORY_OCTETS = 256 * MEBIBYTE;

/** The unit of large shares. */
const LARGE_PERMIT_OCTETS = MEBIBYTE;

/** The unit of small shares. A zone of some hundred records takes a few of them. */
const SMALL_PERMIT_OCTETS = 64 * 1024;

/** A body of a megabyte, or a zone of some 9,000 records. Copying domains makes many of these, which wait for no longer ones. */
export const SMALL_SHARE_OCTETS = 8 * MEBIBYTE;

/**
 * Six of the largest small shares, in addition to the memory for large ones; as much again for their first extension, and
 * half as much for the second, which few need: 120 MiB in all, for which the heap has room in
 * addition to the memory of the setting (`BASE_MB` in http-heap.ts).
 */
const SMALL_PERMITS = (48 * MEBIBYTE) / SMALL_PERMIT_OCTETS;

const waitLimits = {
  // Those that wait have sent only their head, or a short body.
  maxWaiting: 1024,
  maxWaitingPerKey: 256,
  // Several of the largest imports, and less than clients wait.
  waitMs: 10_000,
} satisfies Partial<SemaphoreLimits>;

/** The memory of one request, until it is released. */
export interface WorkShare {
  /** The most that it can hold. */
  readonly mostOctets: number;
  /** The octets that it holds. */
  readonly octets: number;
  /**
   * Takes so much in all. A small share waits for its turn, up to twice; a large one is extended at once or not at all, and
   * covers everything once it is as large as a share can be.
   *
   * @throws StoreBusy
   */
  extendTo(octets: number, getSignal?: GetSignal): Promise<void>;
  /** As `extendTo`, without waiting. @throws StoreBusy; ShareTooLarge if an account may not have so much */
  growTo(octets: number): void;
  release(): void;
}

/** A piece of work needs more memory than one account may use. */
export class ShareTooLarge extends Error {
  override readonly name = 'ShareTooLarge';
}

/** Shares are first small, and then either extended, or become large. */
interface Lanes {
  readonly small: FairSemaphore;
  /** One for each extension that may wait. Shares that wait in one hold nothing of those behind it. */
  readonly extensions: readonly [first: FairSemaphore, second: FairSemaphore];
  readonly large: FairSemaphore;
  readonly mostOctets: number;
}

export class WorkMemory {
  /** The most that one account can have, so that others always find room. No piece of work can take more. */
  readonly mostOctets: number;
  private readonly lanes: Lanes;

  constructor(octets = DEFAULT_WORK_MEMORY_OCTETS) {
    const permits = Math.floor(octets / LARGE_PERMIT_OCTETS);
    // A quarter is left for others.
    const permitsPerKey = Math.ceil((permits * 3) / 4);
    const mostOctets = permitsPerKey * LARGE_PERMIT_OCTETS;
    this.mostOctets = mostOctets;
    const large = new FairSemaphore({ ...waitLimits, permits, permitsPerKey });
    const openLane = (smallPermits: number): FairSemaphore =>
      new FairSemaphore({ ...waitLimits, permits: smallPermits, permitsPerKey: smallPermits / 2 });
    const small = openLane(SMALL_PERMITS);
    const extensions = [openLane(SMALL_PERMITS), openLane(SMALL_PERMITS / 2)] as const;
    this.lanes = { small, extensions, large, mostOctets };
  }

  /** Makes an empty share. */
  open(accountId: string): WorkShare {
    return new Share(accountId, this.lanes);
  }

  /** Waits for its turn. @throws StoreBusy if too many wait, if the wait is too long, or if the client has gone */
  async reserve(accountId: string, octets: number, getSignal?: GetSignal): Promise<WorkShare> {
    const share = this.open(accountId);
    await share.extendTo(octets, getSignal);
    return share;
  }
}

class Share implements WorkShare {
  private readonly accountId: string;
  private readonly lanes: Lanes;
  private readonly releases: Release[] = [];
  private held = 0;
  /** Extensions within the size of a small share. */
  private extended = 0;
  private isReleased = false;

  constructor(accountId: string, lanes: Lanes) {
    this.accountId = accountId;
    this.lanes = lanes;
  }

  get mostOctets(): number {
    return this.lanes.mostOctets;
  }

  get octets(): number {
    return this.held;
  }

  async extendTo(wanted: number, getSignal?: GetSignal): Promise<void> {
    const { accountId, held, lanes } = this;
    const octets = Math.min(wanted, lanes.mostOctets);
    if (octets <= held && held > 0) return;
    const isLarge = octets > SMALL_SHARE_OCTETS;
    const lane = isLarge ? lanes.large : held > 0 ? lanes.extensions.at(this.extended++) : lanes.small;
    if (held > SMALL_SHARE_OCTETS || lane === undefined) {
      this.growTo(octets);
      return;
    }
    const permits = isLarge ? largePermits(octets) : smallPermits(octets - held);
    const release = await lane.acquire(accountId, getSignal, permits);
    if (release === undefined) throw busy();
    if (isLarge) this.giveBack();
    this.add(release, octets);
  }

  growTo(octets: number): void {
    const { accountId, held, lanes } = this;
    if (octets <= held) return;
    if (octets > lanes.mostOctets) throw new ShareTooLarge();
    const isSmall = octets <= SMALL_SHARE_OCTETS;
    const wasLarge = held > SMALL_SHARE_OCTETS;
    const permits = isSmall
      ? smallPermits(octets - held)
      : largePermits(octets) - (wasLarge ? largePermits(held) : 0);
    if (permits === 0) {
      this.held = octets;
      return;
    }
    const release = isSmall
      ? lanes.extensions[0].tryAcquire(accountId, permits)
      : lanes.large.tryAcquire(accountId, permits);
    if (release === undefined) throw busy();
    if (!isSmall && !wasLarge) this.giveBack();
    this.add(release, octets);
  }

  release(): void {
    this.isReleased = true;
    this.giveBack();
  }

  private giveBack(): void {
    for (const each of this.releases.splice(0)) each();
  }

  private add(release: Release, octets: number): void {
    this.held = octets;
    this.releases.push(release);
    // The request may have ended while it waited.
    if (this.isReleased) this.giveBack();
  }
}

function largePermits(octets: number): number {
  return Math.ceil(octets / LARGE_PERMIT_OCTETS);
}

function smallPermits(octets: number): number {
  return Math.max(1, Math.ceil(octets / SMALL_PERMIT_OCTETS));
}

function busy(): StoreBusy {
  return new StoreBusy('Too much large work is under way; try again');
}
