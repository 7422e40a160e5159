import { monotonicClock, type MonotonicClock } from '../base/clock.ts';

/** Whether writes are committed. A failure is remembered until a write has worked, because nothing else proves that it is over. */
export class WriteHealth {
  private readonly clock: MonotonicClock;
  private reason: string | undefined;
  private batchStartedMs: number | undefined;

  constructor(clock: MonotonicClock = monotonicClock) {
    this.clock = clock;
  }

  /** Why the last write failed; undefined if it worked. */
  get failure(): string | undefined {
    return this.reason;
  }

  /** How long the batch in progress has been waiting for its commit; 0 if there is none. */
  get waitingMs(): number {
    return this.batchStartedMs === undefined ? 0 : this.clock.elapsedMs() - this.batchStartedMs;
  }

  batchStarted(): void {
    this.batchStartedMs = this.clock.elapsedMs();
  }

  batchEnded(): void {
    this.batchStartedMs = undefined;
  }

  worked(): void {
    this.reason = undefined;
  }

  failed(reason: string): void {
    this.reason = reason;
  }
}
