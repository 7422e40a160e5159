import { statSync } from 'node:fs';
import type { Log } from '../../base/log.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import { LONG_READS_AT_ONCE } from '../long-reads.ts';
import { StoreUnavailable } from '../store.ts';
import type {
  FromReader,
  LongRead,
  ReadArguments,
  ReaderData,
  ReadResult,
  ToReader,
} from './reader-messages.ts';

/** Twice what the log is cut back to, so that it is not reached again at once: some seconds of writing without a pause. */
const LONG_LOG_BYTES = 128 * 1024 * 1024;

/**
 * Threads for reads that look at many rows, each started when it is first wanted. Whoever asks takes turns.
 *
 * The write-ahead log begins anew only where no reader needs any of it. Reads that overlap without end would let it grow
 * as long: when it is long, those that come wait until none is under way and it is moved into the store's file.
 */
export class ReaderThreads {
  private readonly path: string;
  private readonly shortenLog: () => Promise<void>;
  private readonly longLogBytes: number;
  private readonly threads: readonly ReaderThread[];
  private readonly underWay = new Set<Promise<unknown>>();
  private pause: Promise<void> | undefined;

  /** @param shortenLog resolves when what no reader needs is moved out of the log */
  constructor(path: string, log: Log, shortenLog: () => Promise<void>, longLogBytes = LONG_LOG_BYTES) {
    this.path = path;
    this.longLogBytes = longLogBytes;
    this.shortenLog = shortenLog;
    this.threads = Array.from({ length: LONG_READS_AT_ONCE }, () => new ReaderThread({ path }, log));
  }

  /** @throws StoreUnavailable */
  async read<K extends LongRead>(read: K, ...args: ReadArguments<K>): Promise<ReadResult<K>> {
    if (this.pause === undefined && this.isLogLong()) this.pause = this.pauseForLog();
    if (this.pause !== undefined) await this.pause;
    const thread = this.threads.reduce((least, other) => (other.pending < least.pending ? other : least));
    const reading = thread.read({ kind: 'read', read, args });
    this.underWay.add(reading);
    try {
      return (await reading) as ReadResult<K>;
    } finally {
      this.underWay.delete(reading);
    }
  }

  /** Answers what was asked, then ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private isLogLong(): boolean {
    return (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > this.longLogBytes;
  }

  private async pauseForLog(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await this.shortenLog();
    this.pause = undefined;
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
