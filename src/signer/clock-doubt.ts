import { STEADY_HOURS, type GuardedReading } from '../base/guarded-time.ts';

export interface ClockReadings {
  /** The clock of this process. */
  readonly wallMs: number;
  /** Time that nobody can set. */
  readonly monotonicMs: number;
  /** The trusted time of the store, as upkeep read it last; undefined: not known yet. */
  readonly reading: GuardedReading | undefined;
  /** How far the clock is ahead of that of the database; undefined: not known, or there is none. */
  readonly databaseOffsetMs: number | undefined;
}

const HOUR_MS = 3_600_000;

/** Signatures begin hours before they are made, and have weeks left: a clock that is wrong by less does no harm. */
const LIMIT_MS = 24 * HOUR_MS;

/**
 * Tells whether the clock can be used to sign. A signature that begins in the future, or has ended already, makes a domain
 * unreachable for everybody who validates, and renewal by a wrong clock makes such signatures of all domains.
 *
 * The trusted time of the store knows of jumps ahead, also while the service was stopped. It follows a clock that goes back
 * at once, because an earlier time deletes nothing; so jumps are measured here as well, and a clock that is behind the
 * signatures of all domains has gone back while the service was stopped, unless that of the database agrees with it. After a
 * jump, a clock that has run on steadily for hours is trusted: it was wrong before.
 */
export class ClockDoubt {
  /** The clock minus the monotonic time, when it was last trusted. */
  private trustedMs: number | undefined;
  /** The least that it can be; undefined: not known, or refuted. */
  private leastMs: number | undefined;
  private jump: { readonly offsetMs: number; readonly sinceMs: number } | undefined;

  /** @param atMs a time that had passed when the service was last stopped, if the clock was right then */
  notePast(atMs: number, monotonicMs: number): void {
    this.leastMs = Math.max(this.leastMs ?? -Infinity, atMs - monotonicMs);
  }

  /** Says why nothing is renewed: a sentence without a full stop; undefined if the clock can be used. */
  find({ reading, ...readings }: ClockReadings): string | undefined {
    const aheadMs = reading?.aheadMs ?? 0;
    const fault = this.findFault(readings) ?? (aheadMs > LIMIT_MS ? describeJump(aheadMs) : undefined);
    return fault && `The clock ${fault}; signatures are not renewed until it is right`;
  }

  /**
   * Says why no write to a signed domain is possible: how the sentence "The clock …" ends. A service that was stopped for
   * days cannot tell that from a clock that is ahead, and must not refuse writes for it.
   */
  findFault({ wallMs, monotonicMs, databaseOffsetMs }: Omit<ClockReadings, 'reading'>): string | undefined {
    const isNear = databaseOffsetMs !== undefined && Math.abs(databaseOffsetMs) <= LIMIT_MS;
    if (isNear) this.leastMs = undefined;
    const jumpMs = this.findJump(wallMs - monotonicMs, monotonicMs);
    if (jumpMs !== 0) return describeJump(jumpMs);
    if (databaseOffsetMs === undefined || isNear) return undefined;
    const side = databaseOffsetMs > 0 ? 'ahead of' : 'behind';
    return `is ${hours(databaseOffsetMs)} hours ${side} that of the database`;
  }

  /** Returns how far the clock is from where it was trusted; 0 if that is less than the limit. */
  private findJump(offsetMs: number, monotonicMs: number): number {
    const trustedMs = this.trustedMs ?? offsetMs;
    const movedMs = offsetMs - Math.max(trustedMs, this.leastMs ?? trustedMs);
    const isNew = this.jump === undefined || Math.abs(offsetMs - this.jump.offsetMs) > LIMIT_MS;
    const jump = isNew ? { offsetMs, sinceMs: monotonicMs } : this.jump;
    const isSteady = jump !== undefined && monotonicMs - jump.sinceMs >= STEADY_HOURS * HOUR_MS;
    if (Math.abs(movedMs) > LIMIT_MS && !isSteady) {
      this.jump = jump;
      return movedMs;
    }
    this.trustedMs = offsetMs;
    if (movedMs < -LIMIT_MS) this.leastMs = undefined;
    this.jump = undefined;
    return 0;
  }
}

function describeJump(ms: number): string {
  return `has ${ms < 0 ? 'gone back' : 'jumped ahead'} by ${hours(ms)} hours`;
}

function hours(ms: number): number {
  return Math.round(Math.abs(ms) / HOUR_MS);
}
