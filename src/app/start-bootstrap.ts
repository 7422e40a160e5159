import { monotonicClock, systemClock } from '../base/clock.ts';
import { watchBootstrap } from '../metrics/watch-bootstrap.ts';
import { lookAtParent } from '../operations/look-at-parent.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { BOOTSTRAP_LOOKS_AT_ONCE, BootstrapWatch } from '../signer/bootstrap/bootstrap-watch.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';

/**
 * Starts the watch of domains that wait for their first DS record, with its metrics. It ends before the store is closed.
 *
 * @param findClockDoubt as for the renewal of signatures
 */
export function startBootstrap(
  { config, log, metrics }: StartOptions,
  context: OperationContext,
  findClockDoubt: () => string | undefined,
  parts: RunningParts,
): void {
  const watch = new BootstrapWatch({
    store: context.store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    findClockDoubt,
    canSign: context.signing !== undefined,
    nameservers: config.nameservers,
    newId: context.newId,
    // Turns of its own: customers who ask for the status of their domains never wait for it.
    lookAtParent: (domain, name) =>
      lookAtParent(context, domain, name, `bootstrap ${domain.id % BOOTSTRAP_LOOKS_AT_ONCE}`),
  });
  watchBootstrap(metrics.registry, () => watch.figures());
  parts.add(() => watch.close());
  watch.start();
}
