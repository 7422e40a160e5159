import type { Log } from '../base/log.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import { LoginRefused } from '../writes/store-errors.ts';

/** Load balancers ask for readiness no more often than this. */
const LOOK_INTERVAL_MS = 1_000;

/** A commit takes milliseconds. A failover is over, or has failed, within some seconds. */
export const COMMIT_LIMIT_MS = 5_000;

export type WatchedStore = Pick<
  PostgresStore,
  'isReady' | 'clockOffsetMs' | 'isWaitingForStandby' | 'health' | 'refusedLogin' | 'tidy'
>;

/**
 * Asks every second, also when nobody writes, whether PostgreSQL answers, what its clock says, and why a write waits.
 * `/readyz` shows the result, and the log reports each change. Nothing else depends on it.
 */
export class DatabaseWatch {
  private readonly store: WatchedStore;
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  /** The last result; undefined before the first. */
  private answers: boolean | undefined;
  private offsetMs: number | undefined;
  private refusal: string | undefined;
  private stall: string | undefined;
  private isLooking = false;

  constructor(store: WatchedStore, log: Log, intervalMs = LOOK_INTERVAL_MS) {
    this.store = store;
    this.log = log;
    this.timer = setInterval(() => void this.look(), intervalMs).unref();
  }

  get isConnected(): boolean {
    return this.answers ?? this.store.isReady();
  }

  /** How far the clock of this process is ahead of that of the database; undefined: not known yet. */
  get clockOffsetMs(): number | undefined {
    return this.offsetMs;
  }

  /** Why the database refuses the log-in; undefined: it does not. */
  get refusedLogin(): string | undefined {
    return this.store.isReady() ? this.refusal : this.store.refusedLogin;
  }

  /** Why no write commits although the database answers; undefined: writes commit. */
  get stalledWrites(): string | undefined {
    return this.isConnected ? this.stall : undefined;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // Never query twice a database that hangs. The store itself reports the first connection.
    if (this.isLooking || !this.store.isReady()) return;
    this.isLooking = true;
    try {
      this.offsetMs = await this.store.clockOffsetMs();
      this.stall = await this.findStall();
      if (this.answers === false) this.log.info({}, 'the database is back');
      this.answers = true;
      this.refusal = undefined;
    } catch (error) {
      if (this.answers !== false)
        this.log.warn({ err: error }, 'the database cannot be reached; writes are refused');
      this.answers = false;
      this.refusal = error instanceof LoginRefused ? error.message : undefined;
    }
    this.isLooking = false;
  }

  private async findStall(): Promise<string | undefined> {
    const { failure, waitingMs } = this.store.health;
    if (failure === undefined && waitingMs < COMMIT_LIMIT_MS) return undefined;
    // Only a write can prove that writes work again, and nobody may be writing.
    if (failure !== undefined) void this.store.tidy();
    if (await this.store.isWaitingForStandby()) return 'waiting for a synchronous standby';
    return (
      failure ?? `a batch has been waiting for its commit for more than ${COMMIT_LIMIT_MS / 1000} seconds`
    );
  }
}
