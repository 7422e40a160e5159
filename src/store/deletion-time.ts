import type { MonotonicClock } from '../base/clock.ts';
import { GuardedTime, STEADY_HOURS, type GuardedReading } from '../base/guarded-time.ts';
import type { Log } from '../base/log.ts';

/** The times by which one run of upkeep deletes. */
export interface UpkeepTimes {
  readonly nowMs: number;
  /** Older feed entries are removed. */
  readonly historyStartMs: number;
}

/** Nothing was written before 1970, so nothing is deleted because of its age. */
const heldTimes: UpkeepTimes = { nowMs: 0, historyStartMs: 0 };

export interface DeletionTimeOptions {
  readonly historyDays: number;
  readonly monotonic: MonotonicClock;
  readonly log: Log;
}

export interface UpkeepPlan {
  readonly times: UpkeepTimes;
  /** The time to keep in the store; null: leave the one that is kept. */
  readonly trustedMs: number | null;
}

const DAY_MS = 86_400_000;

/** Decides by which time each run of upkeep deletes, and logs when a jump of the clock holds deletion, and its end. */
export class DeletionTime {
  private readonly options: DeletionTimeOptions;
  private readonly guard = new GuardedTime();
  private last: GuardedReading | undefined;

  constructor(options: DeletionTimeOptions) {
    this.options = options;
  }

  /** The last reading; undefined before the first run of upkeep. */
  get reading(): GuardedReading | undefined {
    return this.last;
  }

  /** @param keptMs the trusted time that the store keeps; null if it keeps none */
  plan(wallMs: number, keptMs: number | null): UpkeepPlan {
    const { monotonic, historyDays } = this.options;
    const before = this.last;
    const reading = this.guard.observe(wallMs, monotonic.elapsedMs(), keptMs);
    this.last = reading;
    this.report(reading, before?.isHeld === true);
    const { trustedMs, isHeld } = reading;
    // A time that is not trusted must not become the one that the next start compares with.
    if (isHeld) return { times: heldTimes, trustedMs: null };
    return { times: { nowMs: trustedMs, historyStartMs: trustedMs - historyDays * DAY_MS }, trustedMs };
  }

  private report({ isHeld, aheadMs }: GuardedReading, wasHeld: boolean): void {
    const { log } = this.options;
    if (isHeld && !wasHeld) {
      log.warn(
        { ahead_seconds: Math.round(aheadMs / 1000) },
        `the clock has jumped ahead; nothing is deleted because of its age until it has returned or run on steadily for ${STEADY_HOURS} hours`,
      );
    }
    if (!isHeld && wasHeld) log.warn({}, 'the clock is trusted again; old data is deleted again');
  }
}
