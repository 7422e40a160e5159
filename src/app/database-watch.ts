import type { Log } from '../base/log.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';

/** Load balancers ask for readiness no more often than this. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Asks every second, also when nobody writes, whether PostgreSQL answers. `/readyz` shows the result, and the log
 * reports each change. Nothing else depends on it.
 */
export class DatabaseWatch {
  private readonly store: Pick<PostgresStore, 'isReady' | 'lastSeq'>;
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  /** The last result; undefined before the first. */
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
    // Never query twice a database that hangs. The store itself reports the first connection.
    if (this.isLooking || !this.store.isReady()) return;
    this.isLooking = true;
    try {
      await this.store.lastSeq();
      if (this.answers === false) this.log.info({}, 'the database is back');
      this.answers = true;
    } catch (error) {
      if (this.answers !== false)
        this.log.warn({ err: error }, 'the database cannot be reached; writes are refused');
      this.answers = false;
    }
    this.isLooking = false;
  }
}
