import type { Log } from '../base/log.ts';

/** The started parts. Stops them in reverse order, even if one of them fails to stop. */
export class RunningParts {
  private readonly log: Log;
  private readonly stopping: AbortSignal;
  private readonly stops: (() => void | Promise<void>)[] = [];
  private isStarted = false;

  /** @param stopping aborted by a stop signal */
  constructor(log: Log, stopping: AbortSignal) {
    this.log = log;
    this.stopping = stopping;
  }

  /** True if all parts run and none is being stopped. */
  get isComplete(): boolean {
    return this.isStarted && !this.stopping.aborted;
  }

  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  complete(): void {
    this.isStarted = true;
  }

  /** @throws the signal's reason after a stop signal, so that no further part is started */
  add(stop: () => void | Promise<void>): void {
    this.stops.push(stop);
    this.stopping.throwIfAborted();
  }

  async stop(): Promise<void> {
    this.isStarted = false;
    for (const stopPart of this.stops.splice(0).reverse()) {
      try {
        await stopPart();
      } catch (error) {
        // The remaining parts, above all the store, must still be closed.
        this.log.error({ err: error }, 'a part could not be stopped');
      }
    }
  }
}

/** Starts parts; if one cannot start, those before it are stopped again, and its error is thrown. */
export async function startInParts<T>(
  { log, stopping }: { readonly log: Log; readonly stopping: AbortSignal },
  start: (parts: RunningParts) => Promise<T>,
): Promise<T> {
  const parts = new RunningParts(log, stopping);
  try {
    return await start(parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}
