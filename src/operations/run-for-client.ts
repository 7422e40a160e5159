import type { GetSignal } from '../base/fair-semaphore.ts';
import { nextTurn, type Steps } from '../base/steps.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/**
 * Runs the steps, letting the event loop do its other work between them, and stops when the client has gone.
 *
 * @throws StoreBusy, which nobody receives
 */
export async function runForClient<T>(steps: Steps<T>, getSignal?: GetSignal): Promise<T> {
  const first = steps.next();
  if (first.done === true) return first.value;
  const signal = getSignal?.();
  for (;;) {
    await nextTurn();
    checkClient(signal);
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export function checkClient(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StoreBusy('The client has gone away');
}
