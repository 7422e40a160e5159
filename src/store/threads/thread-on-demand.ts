import type { ResourceLimits } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

interface ThreadOptions<From> {
  readonly module: URL;
  readonly name: string;
  readonly workerData: unknown;
  readonly resourceLimits: ResourceLimits;
  readonly log: Log;
  readonly onMessage: (message: From) => void;
  /** Called when the thread has ended, for whatever reason; the next `get()` starts another. */
  readonly onEnd: () => void;
}

/** A thread of the store that is started on first use. */
export class ThreadOnDemand<To, From> {
  private readonly options: ThreadOptions<From>;
  private thread: Promise<WorkerThread<To, From>> | undefined;
  private isClosed = false;

  constructor(options: ThreadOptions<From>) {
    this.options = options;
  }

  /** Rejects with StoreUnavailable if the thread cannot be started or the store is closed. */
  async get(): Promise<WorkerThread<To, From>> {
    if (this.isClosed) throw new StoreUnavailable('the store is closed');
    return await (this.thread ??= this.start());
  }

  /** @param message makes the thread end */
  async close(message: To): Promise<void> {
    this.isClosed = true;
    const thread = await this.thread?.catch(() => undefined);
    await thread?.close(message);
  }

  private async start(): Promise<WorkerThread<To, From>> {
    const { onMessage, onEnd, ...about } = this.options;
    try {
      const thread = await WorkerThread.start<To, From>(about);
      thread.listen(onMessage, () => {
        this.thread = undefined;
        onEnd();
      });
      return thread;
    } catch (error) {
      this.thread = undefined;
      throw new StoreUnavailable(`the store cannot be read: ${String(error)}`, { cause: error });
    }
  }
}
