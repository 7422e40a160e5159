import { monotonicClock, systemClock } from '../base/clock.ts';
import { ClaimWatch } from '../claims/claim-watch.ts';
import { watchClaims } from '../metrics/watch-claims.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { wantedProofOf } from '../operations/wanted-proof.ts';
import type { RunningParts } from './running-parts.ts';
import type { HttpStartOptions } from './service-options.ts';

/**
 * Starts the watch of unverified domains, with its metrics. It ends before the store is closed.
 *
 * @param findClockDoubt as for the renewal of signatures
 */
export function startClaims(
  { log, metrics }: Pick<HttpStartOptions, 'log' | 'metrics'>,
  context: OperationContext,
  findClockDoubt: () => string | undefined,
  parts: RunningParts,
): void {
  const watch = new ClaimWatch({
    store: context.store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    findClockDoubt,
    isOpen: context.settings.claims !== 'verified',
    wantedOf: (domain) => wantedProofOf(context, domain),
    // Turns of its own: customers who ask for a look never wait for it.
    look: ({ name }, apex, lane) => context.claimLooks.look(`claims ${lane}`, apex, name),
  });
  watchClaims(metrics.registry, () => watch.figures());
  parts.add(() => watch.close());
  watch.start();
}
