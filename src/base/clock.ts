/** The time as an argument, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
}

/** Time that nobody can set, for limits, waits and caches within one process. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  elapsedMs(): number;
}

export const monotonicClock: MonotonicClock = { elapsedMs: () => performance.now() };

export const systemClock: Clock = { nowMs: () => Date.now() };
