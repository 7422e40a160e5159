/** Minimum time between two reports while changes arrive: 20 rows a second. */
const MIN_INTERVAL_MS = 50;

/** Time between two reports without changes: five of them within the time after which a process counts as dead. */
const SIGN_OF_LIFE_MS = 2000;

/** Delay after a failed report: short enough to be reported as current within two seconds of the database's return. */
const RETRY_MS = 1000;

/** The position in the feed that this process serves. */
export interface ServedPosition {
  /** 0: no known position. */
  readonly seq: number;
  /** When the process started to serve it. */
  readonly atMs: number;
  /** The digest of all zones at the position; null: not known. */
  readonly digest?: string | null;
  readonly doubt?: ReportedDoubt;
}

/** Domains that count as not served. */
export interface ReportedDoubt {
  readonly about: 'none' | 'some' | 'all';
  /** Their ids in the database, for `some`. */
  readonly domainIds: readonly number[];
}

/** Reports the newest position to the database, one report at a time; lost reports are not repeated. */
export class PositionReports {
  private readonly send: (position: ServedPosition) => Promise<void>;
  private readonly onFailure: (error: unknown) => void;
  private latest: ServedPosition | undefined;
  private sent: ServedPosition | undefined;
  private sentAtMs = -Infinity;
  private state: 'waiting' | 'sending' | 'closed' = 'waiting';
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  /** @param onFailure called for the first of several reports that fail one after the other */
  constructor(send: (position: ServedPosition) => Promise<void>, onFailure: (error: unknown) => void) {
    this.send = send;
    this.onFailure = onFailure;
  }

  note(position: ServedPosition): void {
    if (isSame(position, this.latest)) return;
    this.latest = position;
    this.schedule(MIN_INTERVAL_MS);
  }

  close(): void {
    this.state = 'closed';
    clearTimeout(this.timer);
  }

  private schedule(intervalMs: number): void {
    if (this.state !== 'waiting') return;
    clearTimeout(this.timer);
    const waitMs = Math.max(0, this.sentAtMs + intervalMs - performance.now());
    this.timer = setTimeout(() => void this.report(), waitMs);
  }

  private async report(): Promise<void> {
    const { latest } = this;
    if (latest === undefined) return;
    this.state = 'sending';
    this.sentAtMs = performance.now();
    try {
      await this.send(latest);
      this.sent = latest;
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed && !this.isClosed()) this.onFailure(error);
      this.hasFailed = true;
    }
    if (this.isClosed()) return;
    this.state = 'waiting';
    if (this.hasFailed) this.schedule(RETRY_MS);
    else this.schedule(this.sent === this.latest ? SIGN_OF_LIFE_MS : MIN_INTERVAL_MS);
  }

  /** The reports may be closed while one is in progress. */
  private isClosed(): boolean {
    return this.state === 'closed';
  }
}

function isSame(a: ServedPosition, b: ServedPosition | undefined): boolean {
  return a.seq === b?.seq && a.digest === b.digest && describeDoubt(a) === describeDoubt(b);
}

function describeDoubt({ doubt }: ServedPosition): string {
  return doubt === undefined ? '' : `${doubt.about} ${doubt.domainIds.join()}`;
}
