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
 * The main thread's end of the follower thread: passes on its messages in order and acknowledges them. If the thread ends
 * unexpectedly, for example because the copy is damaged, the process exits; after a restart the copy is replaced.
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

  /** Resolves when the thread has opened the copy. */
  static async start(data: FollowerData, log: Log): Promise<FollowerClient> {
    const module = new URL('./follower-worker.ts', import.meta.url);
    const about = { module, name: 'follower', log, workerData: data };
    return new FollowerClient(await WorkerThread.start(about), log);
  }

  /** Starts to follow. The listener is called with everything that is committed, in order. */
  follow(listener: ProgressListener): void {
    this.listener = listener;
    this.thread.post({ kind: 'follow' });
  }

  wake(): void {
    if (!this.isClosing) this.thread.post({ kind: 'wake' });
  }

  /** Resolves when the thread has ended and everything it committed has been passed on. */
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
