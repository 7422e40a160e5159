import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Handles Ctrl-C during a copy: it ends at once while nothing has been changed, and after the running domains
 * otherwise.
 */
export interface Interruption {
  /** Once aborted, no further domain is started. */
  readonly signal: AbortSignal;
  /** Resolves with the result of the work. @throws CommandFailure on Ctrl-C, without waiting for the work */
  unlessInterrupted<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

export function watchForInterruption(terminal: Terminal): Interruption {
  const controller = new AbortController();
  const { signal } = controller;
  const unwatch = terminal.onInterrupt(() => {
    controller.abort();
  });
  return {
    signal,
    unlessInterrupted: (work) => Promise.race([work, rejectAt(signal)]),
    end: unwatch,
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const rejectInterrupted = (): void => {
      reject(new CommandFailure(exitCodes.interrupted, 'interrupted: nothing was changed'));
    };
    if (signal.aborted) rejectInterrupted();
    else signal.addEventListener('abort', rejectInterrupted, { once: true });
  });
}
