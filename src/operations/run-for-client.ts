import type { GetSignal } from '../base/fair-semaphore.ts';
import { runInSteps, type Steps } from '../base/steps.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/**
 * Runs the steps, letting the event loop do its other work between them, and stops when the client has gone.
 *
 * @throws StoreBusy, which nobody receives
 */
export function runForClient<T>(steps: Steps<T>, getSignal?: GetSignal): Promise<T> {
  let signal: AbortSignal | undefined;
  return runInSteps(steps, () => checkClient((signal ??= getSignal?.())));
}

export function checkClient(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StoreBusy('The client has gone away');
}
