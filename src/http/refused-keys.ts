import type { Log } from '../base/log.ts';

/** Each address has at most two lines in this time, so that an attack does not fill the disk. */
const INTERVAL_MS = 60_000;

/** Addresses that have their own lines in one interval: a log is read by people and by programs that block addresses. */
const MAX_ADDRESSES = 100;

/**
 * Logs requests with an invalid API key: the first one of each address at once, and the number of the others after an
 * interval. Requests without a key are not logged: health checks and browsers send them.
 */
export class RefusedKeys {
  private readonly log: Log;
  private readonly intervalMs: number;
  private counts = new Map<string, number>();
  /** Requests from addresses that have no line in this interval. */
  private others = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(log: Log, intervalMs = INTERVAL_MS) {
    this.log = log;
    this.intervalMs = intervalMs;
  }

  /** @param address undefined on a Unix socket */
  note(address: string | undefined): void {
    if (this.counts.size === 0) this.timer = setTimeout(() => this.finish(), this.intervalMs).unref();
    const shown = address ?? 'unix';
    const count = this.counts.get(shown);
    if (count !== undefined) this.counts.set(shown, count + 1);
    else if (this.counts.size >= MAX_ADDRESSES) this.others++;
    else {
      this.counts.set(shown, 1);
      this.log.warn({ address: shown }, 'a request with an invalid API key was refused');
    }
  }

  /** Logs the numbers that are left; to be called at the end, too. */
  finish(): void {
    clearTimeout(this.timer);
    const { counts, others } = this;
    this.counts = new Map();
    this.others = 0;
    for (const [address, count] of counts)
      if (count > 1)
        this.log.warn({ address, count: count - 1 }, 'more requests with an invalid API key were refused');
    if (others > 0)
      this.log.warn(
        { count: others },
        'requests with invalid API keys from many other addresses were refused',
      );
  }
}
