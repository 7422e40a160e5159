import type { Log } from '../base/log.ts';
import { WorkerThread } from '../base/worker-thread.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
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
  private readonly thread: WorkerThread<ToFollower, FromFollower>;
  private readonly log: Log;
  private listener: ProgressListener | undefined;
  private isClosing = false;

  private constructor(thread: WorkerThread<ToFollower, FromFollower>, log: Log) {
    this.thread = thread;
    this.log = log;
    thread.listen((message) => this.receive(message), end);
  }

  /** Resolves when the thread has the copy open. */
  static async start(data: FollowerData, log: Log): Promise<FollowerClient> {
    const module = new URL('./follower-worker.ts', import.meta.url);
    const about = { module, name: 'follower', log, workerData: data };
    return new FollowerClient(await WorkerThread.start(about), log);
  }

  /** Begins to follow. The listener is called with all that is committed, in order. */
  follow(listener: ProgressListener): void {
    this.listener = listener;
    this.thread.post({ kind: 'follow' });
  }

  wake(): void {
    if (!this.isClosing) this.thread.post({ kind: 'wake' });
  }

  /** Resolves when the thread has ended; what it committed before is handed on. */
  close(): Promise<void> {
    this.isClosing = true;
    return this.thread.close({ kind: 'close' });
  }

  private receive(message: FromFollower): void {
    if (message.kind === 'log') {
      this.log[message.level](decodeFields(message.fields), message.message);
    } else if (message.kind === 'progress') {
      this.listener?.(message.progress, decodeUpdates(message.updates));
      this.thread.post({ kind: 'taken' });
    }
  }
}

function end(wasAsked: boolean): void {
  if (!wasAsked) throw new Error('the follower thread ended unexpectedly');
}
