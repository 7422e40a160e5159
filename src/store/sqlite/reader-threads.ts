import type { Log } from '../../base/log.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import { LONG_READS_AT_ONCE } from '../long-reads.ts';
import { StoreUnavailable } from '../store.ts';
import type { LogGate } from './log-gate.ts';
import type {
  FromReader,
  LongRead,
  ReadArguments,
  ReaderData,
  ReadResult,
  ToReader,
} from './reader-messages.ts';

/**
 * Threads for reads that look at many rows, each started when it is first wanted. Whoever asks takes turns.
 */
export class ReaderThreads {
  private readonly gate: LogGate;
  private readonly threads: readonly ReaderThread[];

  constructor(path: string, log: Log, gate: LogGate) {
    this.gate = gate;
    this.threads = Array.from({ length: LONG_READS_AT_ONCE }, () => new ReaderThread({ path }, log));
  }

  /** @throws StoreUnavailable */
  async read<K extends LongRead>(read: K, ...args: ReadArguments<K>): Promise<ReadResult<K>> {
    const leave = await this.gate.enter();
    const thread = this.threads.reduce((least, other) => (other.pending < least.pending ? other : least));
    try {
      return (await thread.read({ kind: 'read', read, args })) as ReadResult<K>;
    } finally {
      leave();
    }
  }

  /** Answers what the threads were asked, then ends them. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

type Thread = WorkerThread<ToReader, FromReader>;

interface PendingRead {
  readonly resolve: (result: ReadResult<LongRead>) => void;
  readonly reject: (error: Error) => void;
}

/** One that ends by itself fails what it was asked, and the next read starts another. */
class ReaderThread {
  private readonly data: ReaderData;
  private readonly log: Log;
  private thread: Promise<Thread> | undefined;
  /** Oldest first. */
  private readonly sent: PendingRead[] = [];
  private asked = 0;
  private isClosed = false;

  constructor(data: ReaderData, log: Log) {
    this.data = data;
    this.log = log;
  }

  /** Reads not answered yet. */
  get pending(): number {
    return this.asked;
  }

  async read(message: ToReader): Promise<ReadResult<LongRead>> {
    if (this.isClosed) throw new StoreUnavailable('the store is closed');
    this.asked++;
    try {
      const thread = await (this.thread ??= this.start());
      return await new Promise((resolve, reject) => {
        this.sent.push({ resolve, reject });
        thread.post(message);
      });
    } finally {
      this.asked--;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const thread = await this.thread?.catch(() => undefined);
    await thread?.close({ kind: 'close' });
  }

  private async start(): Promise<Thread> {
    try {
      const thread: Thread = await WorkerThread.start({
        module: new URL('./sqlite-reader-worker.ts', import.meta.url),
        name: 'reader',
        log: this.log,
        workerData: this.data,
      });
      thread.listen(
        (message) => this.settle(message),
        () => this.end(),
      );
      return thread;
    } catch (error) {
      this.thread = undefined;
      throw new StoreUnavailable(`the store cannot be read: ${String(error)}`, { cause: error });
    }
  }

  private settle(message: FromReader): void {
    const { resolve, reject } = this.sent.shift() ?? {};
    if (message.kind === 'result') resolve?.(message.result);
    else if (message.kind === 'failed') reject?.(toError(message));
  }

  private end(): void {
    this.thread = undefined;
    for (const { reject } of this.sent.splice(0)) reject(new StoreUnavailable('the reader thread failed'));
  }
}

function toError({ message, isOurFault }: Extract<FromReader, { readonly kind: 'failed' }>): Error {
  return isOurFault
    ? new Error(`a read failed: ${message}`)
    : new StoreUnavailable(`the store cannot be read: ${message}`);
}
