import { monotonicClock, systemClock, type Clock, type MonotonicClock } from '../base/clock.ts';
import type { GuardedReading } from '../base/guarded-time.ts';
import type { Log } from '../base/log.ts';
import { RENEWAL_INTERVAL_SECONDS } from '../dnssec/signature-times.ts';
import { ClockDoubt } from '../signer/clock-doubt.ts';
import type { Store } from '../store/store.ts';
import type { FoundProblem } from './service-problems.ts';

/** Far in the future, when all domains are to be renewed. */
const AFTER_ALL_SECONDS = 2 ** 40;

/** The times that the store reads. */
export interface StoreTimes {
  /** See `DeletionTime`. */
  deletionReading(): GuardedReading | undefined;
  /** How far the clock is ahead of that of the database; undefined: not known, or there is none. */
  databaseOffsetMs(): number | undefined;
}

/** Compares the clock of this process with its past, with the signatures in the store, and with the clock of the database. */
export class ClockCheck {
  private readonly clock: Clock;
  private readonly monotonic: MonotonicClock;
  private readonly doubt = new ClockDoubt();
  private times: StoreTimes | undefined;

  constructor(clock = systemClock, monotonic = monotonicClock) {
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /** The store is opened with the check, and has more to say afterwards. */
  attach(times: StoreTimes): void {
    this.times = times;
  }

  /**
   * Reads when the signatures of all domains had been made. The newest ones alone say less: they may have been made while
   * the clock was ahead, and then have to be made again soon. Never rejects.
   */
  async readSignatures({ signing }: Pick<Store, 'signing'>, log: Log): Promise<void> {
    try {
      const first = (await signing.domainsDueForRenewal(AFTER_ALL_SECONDS, 1)).at(0);
      if (first === undefined) return;
      const madeAtMs = (first.renewAtSeconds - RENEWAL_INTERVAL_SECONDS) * 1000;
      this.doubt.notePast(madeAtMs, this.monotonic.elapsedMs());
    } catch (error) {
      log.warn({ err: error }, 'the clock cannot be compared with the signatures in the store');
    }
  }

  /** Says why signatures are not renewed; undefined if they are. */
  findDoubt(): string | undefined {
    return this.doubt.find({ ...this.readings(), reading: this.times?.deletionReading() });
  }

  /** Says why signed domains cannot be written to, as the end of a sentence; undefined if they can. */
  findFault(): string | undefined {
    return this.doubt.findFault(this.readings());
  }

  private readings(): Parameters<ClockDoubt['findFault']>[0] {
    return {
      wallMs: this.clock.nowMs(),
      monotonicMs: this.monotonic.elapsedMs(),
      databaseOffsetMs: this.times?.databaseOffsetMs(),
    };
  }
}

/** Other domains can be written to, so that it is no reason to send requests elsewhere. */
export function describeRefusedWrites(clockFault: string | undefined): FoundProblem | undefined {
  if (clockFault === undefined) return undefined;
  return {
    message: `The clock ${clockFault}; writes to signed domains are refused until it is right`,
    isSevere: false,
  };
}
