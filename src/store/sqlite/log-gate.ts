import { statSync } from 'node:fs';
import { StoreBusy } from '../../writes/store-errors.ts';

export interface LogLimits {
  /** Reads are paused if the log is longer. */
  readonly longBytes: number;
  /** A longer log must not grow any further: reads are paused for `fullPauseMs`. */
  readonly fullBytes: number;
  /** Maximum length of a pause. */
  readonly pauseMs: number;
  readonly fullPauseMs: number;
  /** Maximum wait of a read. */
  readonly waitMs: number;
}

const usualLimits: LogLimits = {
  // Twice the size to which the log is truncated, so that it is not reached again immediately: some seconds of writes.
  longBytes: 128 * 1024 * 1024,
  // A minute of uninterrupted writes, which is how long a slow client may read a whole zone.
  fullBytes: 1024 * 1024 * 1024,
  // Longer than nearly every read takes, and shorter than `waitMs`.
  pauseMs: 2000,
  // Longer than the time limit of any read.
  fullPauseMs: 65_000,
  // The same as for opening a zone view.
  waitMs: 5000,
};

/** Must be called when the read has ended; further calls do nothing. */
export type Leave = () => void;

/**
 * Limits the growth of the write-ahead log. Every read that keeps a snapshot open for long must enter here first.
 *
 * SQLite can only restart the log when no reader needs any of it, so reads that always overlap would let it grow without
 * end. If the log is long, new reads wait until all reads inside have left and the log has been moved into the store's
 * file. If a slow read makes a pause fail, the reads continue, and the next pause comes when the log has doubled (or has
 * grown by `fullBytes`). A read that has waited for `waitMs` is refused.
 */
export class LogGate {
  private readonly path: string;
  private readonly shorten: () => Promise<void>;
  private readonly limits: LogLimits;
  private inside = 0;
  private pause: Promise<void> | undefined;
  private pauseAtBytes: number;
  private onAllLeft: (() => void) | undefined;

  /**
   * @param path file of the store
   * @param shorten moves everything that no reader needs out of the log
   */
  constructor(path: string, shorten: () => Promise<void>, limits: Partial<LogLimits> = {}) {
    this.path = path;
    this.shorten = shorten;
    this.limits = { ...usualLimits, ...limits };
    this.pauseAtBytes = this.limits.longBytes;
  }

  /** @throws StoreBusy */
  async enter(): Promise<Leave> {
    this.pause ??= this.findPause();
    if (this.pause !== undefined && !(await endsWithin(this.pause, this.limits.waitMs))) {
      throw new StoreBusy('Other long reads must end first, try again');
    }
    this.inside++;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      if (--this.inside === 0) this.onAllLeft?.();
    };
  }

  private findPause(): Promise<void> | undefined {
    const bytes = this.logBytes();
    if (bytes <= this.limits.longBytes) this.pauseAtBytes = this.limits.longBytes;
    return bytes > this.pauseAtBytes ? this.pauseForLog(bytes > this.limits.fullBytes) : undefined;
  }

  private async pauseForLog(isFull: boolean): Promise<void> {
    const { fullBytes, fullPauseMs, pauseMs } = this.limits;
    if (await endsWithin(this.allLeft(), isFull ? fullPauseMs : pauseMs)) await this.shorten();
    const bytes = this.logBytes();
    this.pauseAtBytes = bytes + Math.min(bytes, fullBytes);
    this.pause = undefined;
  }

  private async allLeft(): Promise<void> {
    if (this.inside > 0) await new Promise<void>((resolve) => (this.onAllLeft = resolve));
  }

  private logBytes(): number {
    return statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}

async function endsWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs).unref();
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
