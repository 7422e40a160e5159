import { systemClock } from '../base/clock.ts';
import { watchNotifier } from '../metrics/watch-notifier.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { CdsNotifier } from '../signer/notify/cds-notifier.ts';
import { findLookup } from './open-parent-looks.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';

/** Starts what tells parent zones of new CDS records, with its metrics. It ends before the store is closed. */
export function startNotifier(
  { config, log, metrics }: StartOptions,
  { store }: OperationContext,
  parts: RunningParts,
): CdsNotifier {
  const notifier = new CdsNotifier({ store, log, clock: systemClock, lookup: findLookup(config) });
  watchNotifier(metrics.registry, () => notifier.figures());
  parts.add(() => notifier.close());
  notifier.start();
  return notifier;
}
