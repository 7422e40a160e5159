import { statSync } from 'node:fs';
import { StoreBusy } from '../../writes/store-errors.ts';

export interface LogLimits {
  /** A log of so many bytes is worth a pause. */
  readonly longBytes: number;
  /** A log so long must not grow on: the pause lasts until it is short. */
  readonly fullBytes: number;
  /** How long a pause lasts, if need be. */
  readonly pauseMs: number;
  readonly fullPauseMs: number;
  /** Nobody waits longer. */
  readonly waitMs: number;
}

const usualLimits: LogLimits = {
  // Twice what the log is cut back to, so that it is not reached again at once: some seconds of writing without a pause.
  longBytes: 128 * 1024 * 1024,
  // A minute of writing without a pause, as long as a whole zone may be read by a slow client.
  fullBytes: 1024 * 1024 * 1024,
  // What nearly every read takes, and less than those behind them wait for a turn.
  pauseMs: 2000,
  // Longer than any read may take.
  fullPauseMs: 65_000,
  // As long as those who wait for a whole zone.
  waitMs: 5000,
};

/** To be called when the read has ended; further calls do nothing. */
export type Leave = () => void;

/**
 * Where every read enters that holds a moment of the store open for long.
 *
 * The write-ahead log begins anew only where no reader needs any of it, so reads that overlap without end would let it
 * grow as long. When it is long, those that come wait until all that are under way have left and the log is moved into
 * the store's file. A slow reader makes a pause fail: then all go on, and the next pause is when the log is twice as
 * long, or a full one longer. A full log is worth more than an answer: who has waited too long is refused.
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
   * @param path the store's file
   * @param shorten resolves when what no reader needs is moved out of the log
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
      throw new StoreBusy('Long reads are under way that must end first, try again');
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
