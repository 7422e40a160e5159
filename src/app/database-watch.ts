import type { Log } from '../base/log.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';

/** As often as followers look at the feed: a load balancer asks no more often whether this process is ready. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Whether PostgreSQL answers, looked at every second also when nobody writes: for `/readyz`, and for the log, which says
 * so when it changes. Nothing else rests on it.
 */
export class DatabaseWatch {
  private readonly store: Pick<PostgresStore, 'isReady' | 'lastSeq'>;
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  /** The last look; undefined before the first. */
  private answers: boolean | undefined;
  private isLooking = false;

  constructor(store: Pick<PostgresStore, 'isReady' | 'lastSeq'>, log: Log, intervalMs = LOOK_INTERVAL_MS) {
    this.store = store;
    this.log = log;
    this.timer = setInterval(() => void this.look(), intervalMs).unref();
  }

  get isConnected(): boolean {
    return this.answers ?? this.store.isReady();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // A database that hangs is asked once; that it is reached for the first time is the store's to say.
    if (this.isLooking || !this.store.isReady()) return;
    this.isLooking = true;
    try {
      await this.store.lastSeq();
      if (this.answers === false) this.log.info({}, 'the database is back');
      this.answers = true;
    } catch (error) {
      if (this.answers !== false)
        this.log.warn({ err: error }, 'the database is away, writes are refused meanwhile');
      this.answers = false;
    }
    this.isLooking = false;
  }
}
