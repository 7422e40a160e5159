// The dependencies of all use cases. Independent of HTTP, SQL and sockets.
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { monotonicClock, type MonotonicClock } from '../base/clock.ts';
import { createCallerCache, type CallerCache } from './caller-cache.ts';
import { ParentLooks } from '../signer/parent-looks.ts';
import { KeyUses } from './key-uses.ts';
import { createIdSource } from './new-id.ts';
import { PropagationWaits } from './propagation-waits.ts';
import type { Settings } from './settings.ts';
import type { SigningTerms } from './signing-terms.ts';
import { WorkBudget } from './work-budget.ts';
import { WorkMemory } from './work-memory.ts';
import { ZoneViews } from './zone-views.ts';

export interface OperationContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Returns UUIDv7 ids that strictly increase within this process. */
  readonly newId: () => string;
  /** Callers by recently used keys. */
  readonly callers: CallerCache;
  readonly keyUses: KeyUses;
  /** Requests that wait until the nameservers serve a serial. Closed when the service stops. */
  readonly propagationWaits: PropagationWaits;
  readonly zoneViews: ZoneViews;
  /** Looks at parent zones. Closed when the service stops. */
  readonly parentLooks: ParentLooks;
  /** The memory of all large work. */
  readonly workMemory: WorkMemory;
  readonly monotonic: MonotonicClock;
  /** Debit it with `findCostRefusal`. */
  readonly work: WorkBudget;
  /** Absent: no domain can be signed, because there is no secret that encrypts keys. */
  readonly signing?: SigningTerms | undefined;
  /** Whether the store is known to have its first account; absent: it is. */
  readonly hasFirstAccount?: () => boolean;
}

export function createOperationContext(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly monotonic?: MonotonicClock;
  /** Absent: nobody is asked. */
  readonly parentLooks?: ParentLooks;
  /** Octets for all large work. */
  readonly workMemoryBytes?: number;
  readonly signing?: SigningTerms | undefined;
  readonly hasFirstAccount?: () => boolean;
}): OperationContext {
  const { clock, monotonic = monotonicClock } = options;
  return {
    monotonic,
    parentLooks: new ParentLooks({ lookup: undefined, clock, monotonic }),
    ...options,
    newId: createIdSource(options.clock),
    callers: createCallerCache(),
    keyUses: new KeyUses(),
    propagationWaits: new PropagationWaits(options.store),
    zoneViews: new ZoneViews(options.store),
    workMemory: new WorkMemory(options.workMemoryBytes),
    work: new WorkBudget(),
  };
}
