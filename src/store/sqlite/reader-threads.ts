import type { Log } from '../../base/log.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import { LONG_READ_MS, LONG_READS_AT_ONCE, tookTooLong } from '../long-reads.ts';
import type { LogGate } from './log-gate.ts';
import type {
  EndReason,
  FromReader,
  LongRead,
  ReadArguments,
  ReadMessage,
  ReaderData,
  ReadResult,
  ToReader,
} from './reader-messages.ts';
import { StoreBusy, StoreUnavailable } from '../../writes/store-errors.ts';

/** Threads for reads that look at many rows, each started when it is first wanted. Whoever asks takes turns. */
export class ReaderThreads {
  private readonly gate: LogGate;
  private readonly limitMs: number;
  private readonly threads: readonly ReaderThread[];

  constructor(path: string, log: Log, gate: LogGate, limitMs = LONG_READ_MS) {
    this.gate = gate;
    this.limitMs = limitMs;
    this.threads = Array.from({ length: LONG_READS_AT_ONCE }, () => new ReaderThread({ path }, log));
  }

  /**
   * A read ends after the step that it is in when its time is up, and when nobody wants the answer any more.
   *
   * @throws StoreUnavailable
   */
  async read<K extends LongRead>(
    gone: AbortSignal | undefined,
    read: K,
    ...args: ReadArguments<K>
  ): Promise<ReadResult<K>> {
    const leave = await this.gate.enter();
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const setGone = (): void => void Atomics.store(flag, 0, 1);
    if (gone?.aborted === true) setGone();
    gone?.addEventListener('abort', setGone);
    const thread = this.threads.reduce((least, other) => (other.pending < least.pending ? other : least));
    try {
      const message = { kind: 'read', read, args, gone: flag, limitMs: this.limitMs } as const;
      return (await thread.read(message)) as ReadResult<K>;
    } finally {
      gone?.removeEventListener('abort', setGone);
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
  readonly limitMs: number;
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

  async read(message: ReadMessage): Promise<ReadResult<LongRead>> {
    if (this.isClosed) throw new StoreUnavailable('the store is closed');
    this.asked++;
    try {
      const thread = await (this.thread ??= this.start());
      return await new Promise((resolve, reject) => {
        this.sent.push({ limitMs: message.limitMs, resolve, reject });
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
    const read = this.sent.shift();
    if (message.kind === 'result') read?.resolve(message.result);
    else if (message.kind === 'ended') read?.reject(toRefusal(message.reason, read.limitMs));
    else if (message.kind === 'failed') read?.reject(toError(message));
  }

  private end(): void {
    this.thread = undefined;
    for (const { reject } of this.sent.splice(0)) reject(new StoreUnavailable('the reader thread failed'));
  }
}

function toRefusal(reason: EndReason, limitMs: number): StoreBusy {
  return reason === 'late' ? tookTooLong(limitMs) : new StoreBusy('Nobody waits for this any more');
}

function toError({ message, isOurFault }: Extract<FromReader, { readonly kind: 'failed' }>): Error {
  return isOurFault
    ? new Error(`a read failed: ${message}`)
    : new StoreUnavailable(`the store cannot be read: ${message}`);
}
