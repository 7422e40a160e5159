import { monotonicClock, systemClock } from '../base/clock.ts';
import { watchRollovers } from '../metrics/watch-rollovers.ts';
import { lookAtParent } from '../operations/look-at-parent.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { CdsNotifier } from '../signer/notify/cds-notifier.ts';
import { lookAtSerials } from '../signer/rollover/look-at-serials.ts';
import { RolloverWatch } from '../signer/rollover/rollover-watch.ts';
import { findLookup } from './open-parent-looks.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';
import { startSigningSlices } from './start-signing-slices.ts';

/**
 * Starts the watch of key rollovers, with its metrics, and the signing of large domains, for which their steps wait. Both
 * end before the store is closed.
 *
 * @param findClockDoubt as for the renewal of signatures
 * @param notifier is told of each step in which other DS records are wanted
 */
export function startRollovers(
  options: StartOptions,
  context: OperationContext,
  findClockDoubt: () => string | undefined,
  notifier: CdsNotifier,
  parts: RunningParts,
): void {
  const { config, log, metrics } = options;
  const { store } = context;
  const lookup = findLookup(config);
  const watch = new RolloverWatch({
    store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    findClockDoubt,
    canSign: context.signing !== undefined,
    lookAtParent: (domain, name) => lookAtParent(context, domain, name),
    noteCds: (domain, mark) => notifier.note(domain, mark),
    lookAtSerials: (domain, name, which) =>
      lookAtSerials(domain, name, { store, lookup: which === 'own' ? undefined : lookup }),
    lookAtKeySets: ({ accountId, name: shown }, name) => context.keySetLooks.look(accountId, name, shown),
  });
  watchRollovers(metrics.registry, () => watch.figures());
  parts.add(() => watch.close());
  watch.start();
  startSigningSlices(options, context, findClockDoubt, parts);
}
