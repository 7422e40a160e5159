// What every use case works with. Knows nothing of HTTP, SQL or sockets.
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { createCallerCache, type CallerCache } from './caller-cache.ts';
import { createIdSource } from './new-id.ts';
import { PropagationWaits } from './propagation-waits.ts';
import type { Settings } from './settings.ts';
import { ZoneViews } from './zone-views.ts';

export interface OperationContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  /** UUIDv7, strictly rising in this process. */
  readonly newId: () => string;
  /** Whose keys were seen lately. */
  readonly callers: CallerCache;
  /** Who waits until the nameservers serve a write. Closed when the service stops. */
  readonly propagationWaits: PropagationWaits;
  readonly zoneViews: ZoneViews;
}

export function createOperationContext(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
}): OperationContext {
  return {
    ...options,
    newId: createIdSource(options.clock),
    callers: createCallerCache(),
    propagationWaits: new PropagationWaits(options.store),
    zoneViews: new ZoneViews(options.store),
  };
}
