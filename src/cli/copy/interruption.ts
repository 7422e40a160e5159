import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Ctrl-C during a copy: as long as nothing is changed it ends at once, then between two domains. */
export interface Interruption {
  /** Aborted: no further domain is begun. */
  readonly signal: AbortSignal;
  /** The work's outcome. @throws CommandFailure at Ctrl-C, without waiting for the work */
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
    const breakOff = (): void => {
      reject(new CommandFailure(exitCodes.interrupted, 'interrupted: nothing was changed'));
    };
    if (signal.aborted) breakOff();
    else signal.addEventListener('abort', breakOff, { once: true });
  });
}
