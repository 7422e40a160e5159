import { monotonicClock, systemClock } from '../base/clock.ts';
import { watchSigningSlices } from '../metrics/watch-signing-slices.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { SigningSlices } from '../signer/signing-slices.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';

/**
 * Starts to sign large domains in slices, with its metrics. It ends before the store is closed.
 *
 * @param findClockDoubt as for the renewal of signatures
 */
export function startSigningSlices(
  { log, metrics }: StartOptions,
  { store, signing }: OperationContext,
  findClockDoubt: () => string | undefined,
  parts: RunningParts,
): void {
  const slices = new SigningSlices({
    store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    findClockDoubt,
    canSign: signing !== undefined,
  });
  watchSigningSlices(metrics.registry, () => slices.figures());
  parts.add(() => slices.close());
  slices.start();
}
