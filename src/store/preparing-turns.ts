// How many commands are prepared at the same time. Both engines use these limits.
import { FairSemaphore, type GetSignal } from '../base/fair-semaphore.ts';
import type { Command } from '../writes/command.ts';
import { StoreBusy, StoreUnavailable } from '../writes/store-errors.ts';
import { accountOf } from '../writes/write-queue.ts';

/**
 * Large commands that are prepared at the same time: each keeps a processor busy, and holds old and new rows of a zone in
 * memory, up to some 400 MB. Requests have reserved the memory of their bodies and results before.
 */
export const LARGE_AT_ONCE = 1;

/** Commands that wait hold their requests in memory; a large one takes seconds, so that more would only wait in vain. */
const MAX_WAITING = 64;
const MAX_WAITING_PER_ACCOUNT = 8;

/** About as long as people are willing to wait, and less than clients do. */
const MAX_WAIT_MS = 10_000;

/** Workers that prepare one command each at a time, in turns by account. */
export class PreparingTurns<Worker> {
  readonly workers: readonly Worker[];
  private readonly turns: FairSemaphore;
  private readonly idle: Worker[];
  /** Commands that are under way, and those that wait. */
  private readonly pending = new Set<Promise<unknown>>();
  private isClosed = false;

  constructor(workers: readonly Worker[]) {
    this.workers = workers;
    this.idle = [...workers];
    this.turns = new FairSemaphore({
      permits: workers.length,
      permitsPerKey: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
      waitMs: MAX_WAIT_MS,
    });
  }

  /** @throws StoreBusy if it waited too long; StoreUnavailable if the store closes; what `prepare` throws */
  async run<T>(
    command: Command,
    getSignal: GetSignal | undefined,
    prepare: (worker: Worker, signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const running = this.runInTurn(command, getSignal, prepare);
    this.pending.add(running);
    try {
      return await running;
    } finally {
      this.pending.delete(running);
    }
  }

  /** Resolves when the commands under way are answered; those that wait are refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.pending);
  }

  private async runInTurn<T>(
    command: Command,
    getSignal: GetSignal | undefined,
    prepare: (worker: Worker, signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const release = await this.turns.acquire(accountOf(command), getSignal);
    const worker = release === undefined ? undefined : this.idle.pop();
    try {
      if (this.isClosed) throw new StoreUnavailable('the store is closing');
      if (worker === undefined) throw tooManyPrepared();
      return await prepare(worker, getSignal?.());
    } finally {
      if (worker !== undefined) this.idle.push(worker);
      release?.();
    }
  }
}

/** For a command that the writer must not decide itself. */
export function basisMoved(): StoreBusy {
  return new StoreBusy('Other writes have changed each time what this large write rests on, try again');
}

function tooManyPrepared(): StoreBusy {
  return new StoreBusy('Too many large writes and dry runs are under way, try again');
}
