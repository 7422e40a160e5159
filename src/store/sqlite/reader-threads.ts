import type { Log } from '../../base/log.ts';
import { ReadTimedOut, readLanes, type ReadLane } from '../long-reads.ts';
import type { LogGate } from './log-gate.ts';
import type {
  FromReader,
  LongRead,
  ReadArguments,
  ReadMessage,
  ReaderData,
  ReadResult,
  StopReason,
  ToReader,
} from './reader-messages.ts';
import { threadHeaps } from '../threads/thread-heaps.ts';
import { ThreadOnDemand } from '../threads/thread-on-demand.ts';
import { StoreBusy, StoreUnavailable } from '../../writes/store-errors.ts';

/** Runs the reads of one lane, which may scan many rows, on threads that are started when first needed. */
export class ReaderThreads {
  private readonly gate: LogGate;
  private readonly limitMs: number;
  private readonly threads: readonly ReaderThread[];

  constructor(
    path: string,
    log: Log,
    gate: LogGate,
    lane: ReadLane = 'slow',
    limitMs = readLanes[lane].limitMs,
  ) {
    this.gate = gate;
    this.limitMs = limitMs;
    this.threads = Array.from({ length: readLanes[lane].atOnce }, () => new ReaderThread({ path }, log));
  }

  /**
   * A read is stopped after its current step if it exceeds the time limit or is aborted.
   *
   * @throws StoreUnavailable or StoreBusy
   */
  async read<K extends LongRead>(
    signal: AbortSignal | undefined,
    read: K,
    ...args: ReadArguments<K>
  ): Promise<ReadResult<K>> {
    const leave = await this.gate.enter();
    const aborted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const abort = (): void => void Atomics.store(aborted, 0, 1);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    const thread = this.threads.reduce((least, other) => (other.pending < least.pending ? other : least));
    try {
      const message = { kind: 'read', read, args, aborted, limitMs: this.limitMs } as const;
      return (await thread.read(message)) as ReadResult<K>;
    } finally {
      signal?.removeEventListener('abort', abort);
      leave();
    }
  }

  /** Ends the threads after all pending reads are answered. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

interface PendingRead {
  readonly limitMs: number;
  readonly resolve: (result: ReadResult<LongRead>) => void;
  readonly reject: (error: Error) => void;
}

/** If the thread crashes, its pending reads fail and the next read starts a new one. */
class ReaderThread {
  private readonly thread: ThreadOnDemand<ToReader, FromReader>;
  /** Oldest first. */
  private readonly sent: PendingRead[] = [];
  private pendingCount = 0;

  constructor(workerData: ReaderData, log: Log) {
    this.thread = new ThreadOnDemand({
      module: new URL('./sqlite-reader-worker.ts', import.meta.url),
      name: 'reader',
      resourceLimits: threadHeaps().reader,
      workerData,
      log,
      onMessage: (message) => this.settle(message),
      onEnd: () => this.end(),
    });
  }

  /** Number of reads that are not answered yet. */
  get pending(): number {
    return this.pendingCount;
  }

  async read(message: ReadMessage): Promise<ReadResult<LongRead>> {
    this.pendingCount++;
    try {
      const thread = await this.thread.get();
      return await new Promise((resolve, reject) => {
        this.sent.push({ limitMs: message.limitMs, resolve, reject });
        thread.post(message);
      });
    } finally {
      this.pendingCount--;
    }
  }

  close(): Promise<void> {
    return this.thread.close({ kind: 'close' });
  }

  private settle(message: FromReader): void {
    const read = this.sent.shift();
    if (message.kind === 'result') read?.resolve(message.result);
    else if (message.kind === 'stopped') read?.reject(toRefusal(message.reason, read.limitMs));
    else if (message.kind === 'failed') read?.reject(toError(message));
  }

  private end(): void {
    for (const { reject } of this.sent.splice(0)) reject(new StoreUnavailable('the reader thread failed'));
  }
}

function toRefusal(reason: StopReason, limitMs: number): StoreBusy {
  return reason === 'timeout' ? new ReadTimedOut(limitMs) : new StoreBusy('The client has gone away');
}

function toError({ message, isOurFault }: Extract<FromReader, { readonly kind: 'failed' }>): Error {
  return isOurFault
    ? new Error(`a read failed: ${message}`)
    : new StoreUnavailable(`the store cannot be read: ${message}`);
}
