/**
 * A wall clock that is checked against the monotonic clock, for decisions that cannot be taken back. The trusted time
 * follows the wall clock, except after a jump ahead that no correction of a healthy clock explains: it is then held until
 * the clock has returned, or has run on steadily for hours, so that an operator can notice. A jump back is followed at
 * once, because an earlier time only delays a deletion. Reads no clock.
 */
export class GuardedTime {
  /** The difference between both clocks that jumps are measured against, and when it was taken. */
  private anchor: Offset | undefined;
  /** The trusted time minus the monotonic time. */
  private trustedOffsetMs = 0;
  /** The difference since the clock last jumped, while the trusted time is held. */
  private steady: Offset | undefined;

  /**
   * @param wallMs the wall clock
   * @param monotonicMs the monotonic clock of this process
   * @param keptMs the trusted time that the store keeps; null if it keeps none
   */
  observe(wallMs: number, monotonicMs: number, keptMs: number | null): GuardedReading {
    const now: Offset = { offsetMs: wallMs - monotonicMs, monotonicMs };
    if (this.anchor === undefined) this.start(now, wallMs, keptMs);
    else if (this.steady !== undefined) this.observeHeld(now, this.steady, isClose(wallMs, keptMs));
    else if (now.offsetMs - this.anchor.offsetMs > CLOCK_TOLERANCE_MS) this.steady = now;
    else this.follow(now, this.anchor);
    const trustedMs = monotonicMs + this.trustedOffsetMs;
    return { trustedMs, isHeld: this.steady !== undefined, aheadMs: Math.max(0, wallMs - trustedMs) };
  }

  private start(now: Offset, wallMs: number, keptMs: number | null): void {
    this.trust(now);
    if (keptMs === null || wallMs - keptMs <= LONGEST_STOP_MS) return;
    this.trustedOffsetMs = keptMs - now.monotonicMs;
    this.steady = now;
  }

  /** A later anchor is taken only once a day: otherwise the clock could creep ahead by many small steps. */
  private follow(now: Offset, anchor: Offset): void {
    this.trustedOffsetMs = now.offsetMs;
    const isLater = now.offsetMs > anchor.offsetMs;
    if (!isLater || now.monotonicMs - anchor.monotonicMs >= ANCHOR_MS) this.anchor = now;
  }

  private observeHeld(now: Offset, steady: Offset, isKept: boolean): void {
    const isBack = now.offsetMs - this.trustedOffsetMs <= CLOCK_TOLERANCE_MS;
    const isSteady = Math.abs(now.offsetMs - steady.offsetMs) <= CLOCK_TOLERANCE_MS;
    const ranOn = isSteady && now.monotonicMs - steady.monotonicMs >= STEADY_HOURS * HOUR_MS;
    if (isBack || isKept || ranOn) this.trust(now);
    else if (!isSteady) this.steady = now;
  }

  private trust(now: Offset): void {
    this.anchor = now;
    this.trustedOffsetMs = now.offsetMs;
    this.steady = undefined;
  }
}

export interface GuardedReading {
  readonly trustedMs: number;
  /** Nothing may be deleted because of its age. */
  readonly isHeld: boolean;
  /** How far the wall clock is ahead of the trusted time. */
  readonly aheadMs: number;
}

interface Offset {
  readonly offsetMs: number;
  readonly monotonicMs: number;
}

const HOUR_MS = 3_600_000;

/** More than any correction of a synchronised clock or a wrong time zone's summer time; little beside days of history. */
export const CLOCK_TOLERANCE_MS = HOUR_MS;

/** A store that was stopped for longer is treated as if its clock had jumped; data kept for days loses nothing by that. */
export const LONGEST_STOP_MS = 24 * HOUR_MS;

/** How long the clock must run on steadily after a jump ahead: long enough for an alert to be seen in a night. */
export const STEADY_HOURS = 6;

/** Within this time the clock may gain at most the tolerance. */
const ANCHOR_MS = 24 * HOUR_MS;

/** Another process on the same store trusts this time already. */
function isClose(wallMs: number, keptMs: number | null): boolean {
  return keptMs !== null && Math.abs(wallMs - keptMs) <= CLOCK_TOLERANCE_MS;
}
