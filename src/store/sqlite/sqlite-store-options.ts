import type { Clock, MonotonicClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import type { ServedWrites } from '../after-commit.ts';
import type { SigningSettings } from '../signing-settings.ts';
import type { StoreObserver } from '../store-observer.ts';
import type { LogLimits } from './log-gate.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Checks the clock; absent: that of this process. */
  readonly monotonic?: MonotonicClock;
  readonly log: Log;
  /** Days that feed entries are kept. */
  readonly historyDays?: number;
  /** Days that entries of the trail are kept. */
  readonly trailDays?: number;
  readonly logLimits?: Partial<LogLimits>;
  readonly observer?: StoreObserver;
  /** The limits of accounts and of the service; the defaults if absent. */
  readonly quotas?: Quotas | undefined;
  /** Memory for large work; sizes the heaps of the threads. */
  readonly workMemoryBytes?: number | undefined;
  /** Opens and makes keys of signed domains; absent: no domain can be signed. */
  readonly dnssec?: SigningSettings | undefined;
  /** Says what is wrong with the clock, so that nothing can be signed; absent: it is always right. */
  readonly findClockFault?: () => string | undefined;
  /** Display name of this process. */
  readonly nameserver?: string;
  /** If absent, writes are answered when they are committed. */
  readonly served?: ServedWrites;
}
