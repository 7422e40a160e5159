import type { MonotonicClock } from '../base/clock.ts';
import type { FairSemaphore, GetSignal } from '../base/fair-semaphore.ts';
import { DnsFailure } from './dns-failure.ts';

/**
 * An account that asks about many domains gets on, and asks no faster than a person: a resolver, or a victim behind a decoy
 * parent, notices nothing.
 */
export const SHORTEST_TURN_MS = 1000;

/** The turns of questions to servers of others, which accounts share, and how long each lasts. */
export interface PacedTurns {
  readonly turns: FairSemaphore;
  readonly monotonic: MonotonicClock;
  /** A turn that ends earlier is given back only then, so that an account cannot ask faster. */
  readonly shortestMs: number;
  /** After that, the signal is aborted with a DnsFailure: the outcome of each question that is still open. */
  readonly deadlineMs: number;
  /** Ends all turns with its reason. */
  readonly stopping?: AbortSignal;
}

/**
 * Asks in the next turn of an account. Returns undefined if there are too many others.
 *
 * @param getSignal ends the wait for the turn
 */
export async function runInTurn<T>(
  { turns, monotonic, shortestMs, deadlineMs, stopping }: PacedTurns,
  accountId: string,
  getSignal: GetSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const release = await turns.acquire(accountId, getSignal);
  if (release === undefined) return undefined;
  const startedMs = monotonic.elapsedMs();
  const deadline = new AbortController();
  const late = (): void => deadline.abort(new DnsFailure('timeout', 'it did not answer in time'));
  const stop = (): void => deadline.abort(stopping?.reason);
  const timer = setTimeout(late, deadlineMs);
  stopping?.addEventListener('abort', stop, { once: true });
  try {
    if (stopping?.aborted === true) stop();
    return await ask(deadline.signal);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
    const restMs = shortestMs - (monotonic.elapsedMs() - startedMs);
    if (restMs > 0) setTimeout(release, restMs).unref();
    else release();
  }
}
