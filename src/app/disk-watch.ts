import { statfs } from 'node:fs/promises';

/**
 * The write-ahead log of a store or zone copy grows to this size before it is shortened (`LOG_LIMIT_BYTES`). With less
 * room, writes may fail at any moment.
 */
export const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** A disk at full speed fills some gigabytes in this time, but an operator cannot react faster. */
const LOOK_INTERVAL_MS = 5_000;

/** Free space of a folder's file system, as the user of this process may use it. */
export class DiskWatch {
  private readonly folder: string;
  private readonly timer: NodeJS.Timeout;
  private free: number | undefined;

  constructor(folder: string, intervalMs = LOOK_INTERVAL_MS) {
    this.folder = folder;
    this.timer = setInterval(() => void this.look(), intervalMs).unref();
    void this.look();
  }

  /** Undefined before the first look, or if the folder cannot be examined. */
  get freeBytes(): number | undefined {
    return this.free;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(this.folder);
      this.free = bavail * bsize;
    } catch {
      this.free = undefined;
    }
  }
}
