// How long failed log-ins delay the next one. Plain values: who counts them, and where, is for others.

/** Failures of one user, client or network. */
export interface LoginFailures {
  readonly count: number;
  readonly lastMs: number;
}

export interface LoginDelayRule {
  readonly freeAttempts: number;
  readonly maxDelayMs: number;
}

/** The delay after the free attempts; it doubles with each failure. */
const FIRST_DELAY_MS = 1_000;

/** Failures are forgotten after so long without another one. */
const MEMORY_MS = 3_600_000;

/**
 * Five wrong codes cost nothing; ten more take a thousand seconds, and after them there are four an hour: some 110 guesses a day, of
 * which each is right with three in a million.
 */
export const wrongCodeDelays: LoginDelayRule = { freeAttempts: 5, maxDelayMs: 900_000 };

/**
 * Returns how long after `nowMs` the next attempt may begin; 0: now. A failure in the future, which a clock that is ahead leaves,
 * counts as one of just now: of two machines with different clocks, neither helps to guess. One that is further ahead than failures are
 * kept is forgotten: a clock that was wrong by days locks nobody out for days.
 */
export function delayAfter(failures: LoginFailures, rule: LoginDelayRule, nowMs: number): number {
  const { count, lastMs } = failures;
  if (count < rule.freeAttempts || isForgotten(failures, nowMs)) return 0;
  const delayMs = Math.min(rule.maxDelayMs, FIRST_DELAY_MS * 2 ** Math.min(count - rule.freeAttempts, 20));
  return Math.max(0, Math.min(delayMs, lastMs + delayMs - nowMs));
}

/** Returns the failures with one more. */
export function addFailure(before: LoginFailures | null | undefined, nowMs: number): LoginFailures {
  const isRecent = before && !isForgotten(before, nowMs);
  return { count: (isRecent ? before.count : 0) + 1, lastMs: nowMs };
}

function isForgotten({ lastMs }: LoginFailures, nowMs: number): boolean {
  return Math.abs(nowMs - lastMs) >= MEMORY_MS;
}
