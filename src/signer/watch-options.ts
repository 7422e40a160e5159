import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, MonotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/** The needs of everything here that looks after the signed domains of all accounts once a minute. */
export interface WatchOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  /** Returns why the clock cannot be used to sign, a sentence; undefined if it can. */
  readonly findClockDoubt: () => string | undefined;
  /** False in a process without a secret, which only counts what others have to do. */
  readonly canSign: boolean;
  /** From 0 to 1; spreads the processes on one database. */
  readonly random?: () => number;
}

/** A random part of up to half the interval makes the looks of several processes drift apart. */
const SPREAD = 0.5;

export function spread(ms: number, { random = Math.random }: Pick<WatchOptions, 'random'>): number {
  return ms * (1 + SPREAD * random());
}

/** Returns false if the service stops meanwhile. */
export async function pause(ms: number, stopping: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal: stopping, ref: false });
  } catch {
    // The only reason is the signal.
  }
  return !stopping.aborted;
}
