import { statSync } from 'node:fs';
import type { Log } from '../../base/log.ts';
import type { FromLogMover, LogMoverData, ToLogMover } from './log-mover-messages.ts';
import { ThreadOnDemand } from '../threads/thread-on-demand.ts';

/** The thread keeps no data: its heap holds its code. */
const HEAP_MB = 32;

/** The writer moves as much itself, in some 12 ms. */
const SHORT_BYTES = 16 * 1024 * 1024;

/**
 * Moves the write-ahead log into the store's file on a thread of its own, while the writer goes on: 200 MB take a second.
 * Only what was in the log at the beginning is moved, and only what no reader needs. A short log is left to the writer.
 */
export class LogMover {
  private readonly thread: ThreadOnDemand<ToLogMover, FromLogMover>;
  private readonly path: string;
  private readonly log: Log;
  private readonly shortBytes: number;
  /** Oldest first. */
  private readonly waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(path: string, log: Log, shortBytes = SHORT_BYTES) {
    this.path = path;
    this.log = log;
    this.shortBytes = shortBytes;
    const workerData: LogMoverData = { path };
    this.thread = new ThreadOnDemand({
      module: new URL('./log-mover-worker.ts', import.meta.url),
      name: 'log mover',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      workerData,
      log,
      onMessage: (message) => this.receive(message),
      onEnd: () => this.end(),
    });
  }

  /** Never rejects: what is not moved now is moved later. */
  async move(): Promise<void> {
    const bytes = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes < this.shortBytes) return;
    try {
      const thread = await this.thread.get();
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        thread.post({ kind: 'move' });
      });
    } catch (error) {
      if (!this.isClosed) this.warn(String(error));
    }
  }

  /** Resolves when the moves under way have ended. */
  close(): Promise<void> {
    this.isClosed = true;
    return this.thread.close({ kind: 'close' });
  }

  private receive(message: FromLogMover): void {
    if (message.kind !== 'moved') return;
    if (message.failure !== null) this.warn(message.failure);
    this.waiting.shift()?.();
  }

  private end(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private warn(reason: string): void {
    this.log.warn({ reason }, 'the write-ahead log was not moved');
  }
}
