// The dependencies of all use cases. Independent of HTTP, SQL and sockets.
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { monotonicClock, type MonotonicClock } from '../base/clock.ts';
import { createCallerCache, type CallerCache } from './caller-cache.ts';
import { GeneratedBudget } from './generated-budget.ts';
import { createIdSource } from './new-id.ts';
import { PropagationWaits } from './propagation-waits.ts';
import type { Settings } from './settings.ts';
import { MAX_CHECKED_OCTETS, MAX_PAST_OCTETS, ZoneMemoryBudget } from './zone-memory-budget.ts';
import { WorkBudget } from './work-budget.ts';
import { ZoneViews } from './zone-views.ts';

export interface OperationContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Returns UUIDv7 ids that strictly increase within this process. */
  readonly newId: () => string;
  /** Callers by recently used keys. */
  readonly callers: CallerCache;
  /** Requests that wait until the nameservers serve a serial. Closed when the service stops. */
  readonly propagationWaits: PropagationWaits;
  readonly zoneViews: ZoneViews;
  /** For zones that are held in memory as a whole. */
  readonly zoneMemory: ZoneMemoryBudget;
  /** For earlier states that clients download, which they may do slowly. */
  readonly pastZoneMemory: ZoneMemoryBudget;
  /** For records that imports generate. */
  readonly generatedBudget: GeneratedBudget;
  readonly monotonic: MonotonicClock;
  /** Debit it with `findCostRefusal`. */
  readonly work: WorkBudget;
}

export function createOperationContext(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly monotonic?: MonotonicClock;
}): OperationContext {
  return {
    monotonic: monotonicClock,
    ...options,
    newId: createIdSource(options.clock),
    callers: createCallerCache(),
    propagationWaits: new PropagationWaits(options.store),
    zoneViews: new ZoneViews(options.store),
    generatedBudget: new GeneratedBudget(),
    zoneMemory: new ZoneMemoryBudget(MAX_CHECKED_OCTETS),
    pastZoneMemory: new ZoneMemoryBudget(MAX_PAST_OCTETS),
    work: new WorkBudget(),
  };
}
