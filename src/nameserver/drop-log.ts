/**
 * Counts dropped traffic by reason and reports the counts at most once an interval, so that a flood of packets does not
 * become a flood of log lines.
 */
export class DropLog {
  private readonly report: (counts: Record<string, number>) => void;
  private readonly counts = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  /** @param report gets the counts since the last report, by reason. */
  constructor(report: (counts: Record<string, number>) => void) {
    this.report = report;
  }

  count(reason: string): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    this.timer ??= setTimeout(() => this.flush(), REPORT_INTERVAL_MS).unref();
  }

  /** Reports the counts collected so far, if there are any. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.counts.size === 0) return;
    this.report(Object.fromEntries(this.counts));
    this.counts.clear();
  }
}

/** Short enough for a line to appear next to its cause, long enough for a log that people read. */
const REPORT_INTERVAL_MS = 5_000;
