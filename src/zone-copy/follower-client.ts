import type { Log } from '../base/log.ts';
import { WorkerThread } from '../base/worker-thread.ts';
import type { ZoneName } from '../model/domain.ts';
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
 * unexpectedly, which is a bug, the process exits.
 */
export class FollowerClient {
  private readonly thread: WorkerThread<ToFollower, FromFollower>;
  private readonly log: Log;
  private listener: ProgressListener | undefined;
  private swap: (() => Promise<void>) | undefined;
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

  /**
   * Starts to follow. The listener is called with everything that is committed, in order.
   *
   * @param swap puts the remade copy in the place of the damaged one; nobody writes meanwhile
   */
  follow(listener: ProgressListener, swap: () => Promise<void>): void {
    this.listener = listener;
    this.swap = swap;
    this.thread.post({ kind: 'follow' });
  }

  wake(): void {
    if (!this.isClosing) this.thread.post({ kind: 'wake' });
  }

  /** Reports what was found when the copy was read; undefined: the whole file is damaged. */
  noteDamage(zone: ZoneName | undefined): void {
    if (this.isClosing) return;
    this.thread.post(zone === undefined ? { kind: 'broken' } : { kind: 'damaged', zone });
  }

  /** See `FollowedZones.noteFormer`; the thread knows it before what was received is acknowledged. */
  noteFormer(zones: readonly ZoneName[]): void {
    if (!this.isClosing) this.thread.post({ kind: 'former', zones });
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
    } else if (message.kind === 'remade') {
      void this.swapCopies();
    }
  }

  private async swapCopies(): Promise<void> {
    await this.swap?.();
    this.thread.post({ kind: 'swapped' });
  }
}

function end(wasAsked: boolean): void {
  if (!wasAsked) throw new Error('the follower thread ended unexpectedly');
}
