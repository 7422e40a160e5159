/** Time that background checks take in a second: a fiftieth of a processor. */
const MS_PER_SECOND = 20;

/** A round is followed by nine times its length without one, so that a store that is read quickly is not read all the time. */
const REST_RATIO = 9;

/** A store of a few zones is read each second. */
const MIN_REST_MS = 1000;

/** A round of a large store takes longer than that already. */
const MAX_REST_MS = 600_000;

/**
 * How fast background checks go on, and when a round of them may begin. At 5 µs a record, ten million records are read in 45
 * minutes; a slower machine takes longer, and not more of its time.
 */
export class CheckPace {
  /** Monotonic. */
  private readonly nowMs: () => number;
  /** Time that may be taken now; negative after a long step. */
  private allowanceMs = MS_PER_SECOND;
  private raisedAtMs: number;
  private beganAtMs: number;
  private restsUntilMs = -Infinity;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
    this.raisedAtMs = nowMs();
    this.beganAtMs = this.raisedAtMs;
  }

  /** Whether a step may be taken now. */
  hasTime(): boolean {
    const nowMs = this.nowMs();
    this.allowanceMs += ((nowMs - this.raisedAtMs) / 1000) * MS_PER_SECOND;
    this.allowanceMs = Math.min(this.allowanceMs, MS_PER_SECOND);
    this.raisedAtMs = nowMs;
    return this.allowanceMs > 0;
  }

  /** Takes a step, and counts its time. */
  take<T>(step: () => T): T {
    const startMs = this.nowMs();
    try {
      return step();
    } finally {
      this.allowanceMs -= this.nowMs() - startMs;
    }
  }

  isResting(): boolean {
    return this.nowMs() < this.restsUntilMs;
  }

  beginRound(): void {
    this.beganAtMs = this.nowMs();
  }

  endRound(): void {
    const nowMs = this.nowMs();
    const restMs = REST_RATIO * (nowMs - this.beganAtMs);
    this.restsUntilMs = nowMs + Math.min(Math.max(restMs, MIN_REST_MS), MAX_REST_MS);
  }
}
