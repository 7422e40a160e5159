import { monotonicClock, type MonotonicClock } from '../base/clock.ts';
import { GuardedTime, type GuardedReading } from '../base/guarded-time.ts';

/** The times by which one run of upkeep deletes. */
export interface UpkeepTimes {
  readonly nowMs: number;
  /** Older feed entries are removed. */
  readonly historyStartMs: number;
  /** Older entries of the trail are removed. */
  readonly trailStartMs: number;
}

/** Nothing was written before 1970, so nothing is deleted because of its age. */
const heldTimes: UpkeepTimes = { nowMs: 0, historyStartMs: 0, trailStartMs: 0 };

export interface DeletionTimeOptions {
  readonly historyDays?: number;
  readonly trailDays?: number;
  readonly monotonic?: MonotonicClock;
}

export interface UpkeepPlan {
  readonly times: UpkeepTimes;
  /** The time to keep in the store; null: leave the one that is kept. */
  readonly trustedMs: number | null;
}

/** Unless the operator says otherwise. */
const DEFAULT_HISTORY_DAYS = 30;
const DEFAULT_TRAIL_DAYS = 365;

const DAY_MS = 86_400_000;

/** Decides by which time each run of upkeep deletes. */
export class DeletionTime {
  private readonly options: Required<DeletionTimeOptions>;
  private readonly guard = new GuardedTime();
  private last: GuardedReading | undefined;

  constructor({
    historyDays = DEFAULT_HISTORY_DAYS,
    trailDays = DEFAULT_TRAIL_DAYS,
    monotonic = monotonicClock,
  }: DeletionTimeOptions) {
    this.options = { historyDays, trailDays, monotonic };
  }

  /** The last reading; undefined before the first run of upkeep. */
  get reading(): GuardedReading | undefined {
    return this.last;
  }

  /** @param keptMs the trusted time that the store keeps; null if it keeps none */
  plan(wallMs: number, keptMs: number | null): UpkeepPlan {
    const { monotonic, historyDays, trailDays } = this.options;
    const reading = this.guard.observe(wallMs, monotonic.elapsedMs(), keptMs);
    this.last = reading;
    const { trustedMs, isHeld } = reading;
    // A time that is not trusted must not become the one that the next start compares with.
    if (isHeld) return { times: heldTimes, trustedMs: null };
    const historyStartMs = trustedMs - historyDays * DAY_MS;
    const trailStartMs = trustedMs - trailDays * DAY_MS;
    return { times: { nowMs: trustedMs, historyStartMs, trailStartMs }, trustedMs };
  }
}
