import { monotonicClock, systemClock } from '../base/clock.ts';
import { watchAccounts } from '../metrics/watch-accounts.ts';
import { AccountWatch } from '../operations/account-watch.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';

/**
 * Starts to carry out what is decided about accounts, with its metrics. It ends before the store is closed.
 *
 * @param findClockDoubt as for the renewal of signatures
 */
export function startAccountWatch(
  { log, metrics }: StartOptions,
  { store }: OperationContext,
  findClockDoubt: () => string | undefined,
  parts: RunningParts,
): void {
  const watch = new AccountWatch({
    store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    findClockDoubt,
  });
  watchAccounts(metrics.registry, () => watch.figures());
  parts.add(() => watch.close());
  watch.start();
}
