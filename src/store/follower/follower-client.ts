import type { Worker } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { startWorker } from '../../base/start-worker.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import {
  decodeFields,
  decodeUpdates,
  type FollowerData,
  type FollowerProgress,
  type FromFollower,
  type ToFollower,
} from './follower-messages.ts';

type ProgressListener = (progress: FollowerProgress, updates: readonly ZoneUpdate[]) => void;

/**
 * The main thread's end of the follower thread: hands on what it posts, in order, and says so. A thread that ends by
 * itself, as it does when the copy is damaged, ends the process: started again, it makes the copy anew.
 */
export class FollowerClient {
  private readonly worker: Worker;
  private readonly log: Log;
  private listener: ProgressListener | undefined;
  private isClosing = false;
  private readonly ended: Promise<void>;

  private constructor(worker: Worker, log: Log) {
    this.worker = worker;
    this.log = log;
    worker.on('message', (message: FromFollower) => this.receive(message));
    worker.on('error', (error) => log.error({ err: error }, 'the follower thread failed'));
    this.ended = new Promise((resolve) => worker.on('exit', () => resolve(this.end())));
  }

  /** Resolves when the thread has the copy open. */
  static async start(data: FollowerData, log: Log): Promise<FollowerClient> {
    const module = new URL('./follower-worker.ts', import.meta.url);
    const worker = startWorker(module, { workerData: data });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    return new FollowerClient(worker, log);
  }

  /** Begins to follow. The listener is called with all that is committed, in order. */
  follow(listener: ProgressListener): void {
    this.listener = listener;
    this.post({ kind: 'follow' });
  }

  wake(): void {
    if (!this.isClosing) this.post({ kind: 'wake' });
  }

  /** Resolves when the thread has ended; what it committed before is handed on. */
  close(): Promise<void> {
    if (!this.isClosing) this.post({ kind: 'close' });
    this.isClosing = true;
    return this.ended;
  }

  private receive(message: FromFollower): void {
    if (message.kind === 'log') {
      this.log[message.level](decodeFields(message.fields), message.message);
    } else if (message.kind === 'progress') {
      this.listener?.(message.progress, decodeUpdates(message.updates));
      this.post({ kind: 'taken' });
    }
  }

  private end(): void {
    if (!this.isClosing) throw new Error('the follower thread ended by itself');
  }

  private post(message: ToFollower): void {
    this.worker.postMessage(message);
  }
}
