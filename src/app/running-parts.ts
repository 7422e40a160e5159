import type { Log } from '../base/log.ts';

/** What has been started so far: each part with the way to stop it. Stopped backwards, whatever happens in between. */
export class RunningParts {
  private readonly log: Log;
  private readonly stopping: AbortSignal;
  private readonly stops: (() => void | Promise<void>)[] = [];
  private isStarted = false;

  /** @param stopping aborted when the process was told to stop. */
  constructor(log: Log, stopping: AbortSignal) {
    this.log = log;
    this.stopping = stopping;
  }

  /** All has been started, and nothing is being stopped. */
  get isComplete(): boolean {
    return this.isStarted && !this.stopping.aborted;
  }

  complete(): void {
    this.isStarted = true;
  }

  /** @throws the signal's reason when the process was told to stop meanwhile: no further part may be started. */
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
        // The parts below, the store above all, are closed all the same.
        this.log.error({ err: error }, 'a part could not be stopped');
      }
    }
  }
}
