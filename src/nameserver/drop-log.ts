/** Counts what was dropped and why, and tells of it at most once an interval: a flood must not become a flood of lines. */
export class DropLog {
  readonly #report: (counts: Record<string, number>) => void;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param report gets the counts since the last report, by reason. */
  constructor(report: (counts: Record<string, number>) => void) {
    this.#report = report;
  }

  count(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.flush(), REPORT_INTERVAL_MS).unref();
  }

  /** Reports what there is now, if anything. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    this.#report(Object.fromEntries(this.#counts));
    this.#counts.clear();
  }
}

/** Soon enough to be seen beside its cause, rare enough for a log that people read. */
const REPORT_INTERVAL_MS = 5_000;
