// The waits that the service asks for (429, 503): the client repeats the request by itself afterwards, and people see why it takes
// long and can end it.
import { createValueStore } from './value-store.ts';

export interface Wait {
  readonly status: number;
  /** By the clock of the browser. */
  readonly endsAtMs: number;
  /** Sends the request again at once. */
  readonly goOn: () => void;
  /** Gives the request up. */
  readonly cancel: () => void;
}

/** All requests that wait: a page can have several under way. */
export const currentWaits = createValueStore<readonly Wait[]>([]);

export class WaitCancelled extends Error {
  override readonly name = 'WaitCancelled';
}

/**
 * The timer of the client.
 *
 * @param status absent after a broken connection, which takes a moment only
 * @param signal ends the wait: nobody waits for the request any more
 */
export function waitAsAsked(ms: number, status?: number, signal?: AbortSignal): Promise<void> {
  if (status === undefined) return new Promise((resolve) => setTimeout(resolve, ms));
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', goOn);
      currentWaits.set(currentWaits.get().filter((other) => other !== wait));
      settle();
    };
    const goOn = finish(resolve);
    const cancel = finish(() => reject(new WaitCancelled()));
    const timer = setTimeout(goOn, ms);
    signal?.addEventListener('abort', goOn);
    const wait: Wait = { status, endsAtMs: Date.now() + ms, goOn, cancel };
    currentWaits.set([...currentWaits.get(), wait]);
  });
}
