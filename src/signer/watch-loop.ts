import type { Log } from '../base/log.ts';
import { pause } from './watch-options.ts';

export interface WatchLoopOptions {
  readonly log: Log;
  /** Logged when a pass fails, and not again for those that fail next. */
  readonly away: string;
  /** Logged when a pass has ended well after that. */
  readonly back: string;
}

/** The life of a watch: passes with pauses until it is closed, and a line in the log when the store goes away and comes back. */
export class WatchLoop {
  private readonly options: WatchLoopOptions;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** Passes that have failed in a row. */
  private failed = 0;

  constructor(options: WatchLoopOptions) {
    this.options = options;
  }

  /** Aborted when the service stops. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** @param look returns the milliseconds until it is called again; it never rejects */
  start(firstMs: number, look: () => Promise<number>): void {
    this.running = this.run(firstMs, look);
  }

  /** Resolves when the look in progress has ended. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Returns false if the work has failed; true also if it was ended because the service stops. Never rejects. */
  async pass(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
    } catch (error) {
      return this.noteFailure(error);
    }
    if (this.failed > 0 && !this.signal.aborted) this.options.log.info({}, this.options.back);
    this.failed = 0;
    return true;
  }

  /** The pause after a pass that has failed, doubled for each in a row; undefined if the last one has ended well. */
  backOffMs(firstMs: number, longestMs: number): number | undefined {
    return this.failed === 0 ? undefined : Math.min(firstMs * 2 ** (this.failed - 1), longestMs);
  }

  private async run(firstMs: number, look: () => Promise<number>): Promise<void> {
    let waitMs = firstMs;
    while (await pause(waitMs, this.signal)) waitMs = await look();
  }

  private noteFailure(error: unknown): boolean {
    if (this.signal.aborted) return true;
    this.failed++;
    if (this.failed === 1) this.options.log.warn({ err: error }, this.options.away);
    return false;
  }
}
