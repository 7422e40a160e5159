// The feed of a PostgreSQL store as followers use it: whole batches after a position, a consistent snapshot to start from, a
// notification for each batch, and the reports of nameserver processes. Never writes domains or records.
import { monotonicClock, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { readFeedPage, type FeedBatch } from './feed-page.ts';
import { readSnapshot, type FeedPosition, type FeedSnapshot } from './feed-snapshot.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, SessionLimits } from './postgres-connection.ts';
import { refuseTransactionPooling } from './refuse-pooling.ts';
import { toStoreError } from './postgres-errors.ts';
import { LastingConnection } from './lasting-connection.ts';
import { announceRun, putReport, type NameserverRun, type PositionReport } from './position-report.ts';

export type { FeedBatch, FeedChange } from './feed-page.ts';
export type { FeedPosition, FeedSnapshot, SnapshotHead, SnapshotRecord } from './feed-snapshot.ts';

export type FeedPage =
  | {
      readonly kind: 'batches';
      readonly batches: readonly FeedBatch[];
      readonly lastSeq: number;
      /** The digest at the position that was asked for; null: not known. */
      readonly digest: string | null;
    }
  /**
   * Restart from a snapshot: the feed does not have the position (it was pruned, or lost in a failover), or a batch after it
   * does not have all its changes.
   */
  | { readonly kind: 'gone'; readonly missing: 'position' | 'changes'; readonly lastSeq: number };

export interface FeedReaderOptions {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** A batch was committed. May be lost or come without need, so followers must also poll. */
  readonly onWake: () => void;
}

/** Each batch notifies this channel. */
export const WAKE_CHANNEL = 'zonewright';

const feedLimits: SessionLimits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 5000 };

/** Opens no connection; each call connects if there is none. */
export function openFeedReader(options: FeedReaderOptions): FeedReader {
  return new FeedReader(options);
}

export class FeedReader {
  private readonly address: PostgresAddress;
  private readonly connection: LastingConnection;
  private readonly snapshots = new Set<PostgresConnection>();
  private readonly clock: Clock;
  private offsetMs: number | undefined;

  constructor({ address, clock, onWake, log }: FeedReaderOptions) {
    this.address = address;
    this.clock = clock;
    this.connection = new LastingConnection(async () => {
      const connection = await connectToTables(address, feedLimits);
      await refuseTransactionPooling(connection, address);
      connection.onNotification(onWake);
      await connection.query(`LISTEN ${WAKE_CHANNEL}`);
      log.debug({}, 'following the feed on a new connection');
      return connection;
    });
  }

  /** How far the clock of this process was ahead of that of the database when the feed was last read. */
  get clockOffsetMs(): number | undefined {
    return this.offsetMs;
  }

  /**
   * Returns whole batches after `position`, oldest first: at most `maxChanges` changes, or one batch. `lastSeq` is the end of
   * the feed at the same moment.
   *
   * @param maxRun record entries of a domain that are more than so many in one batch are left out
   * @throws StoreUnavailable
   */
  async read(position: FeedPosition, maxChanges: number, maxRun = Infinity): Promise<FeedPage> {
    try {
      const connection = await this.connection.get();
      const startMs = monotonicClock.elapsedMs();
      const page = await readFeedPage(connection, position, { maxChanges, maxRun }, (databaseMs) => {
        this.offsetMs = this.clock.nowMs() - (monotonicClock.elapsedMs() - startMs) / 2 - databaseMs;
      });
      const { lastSeq, batches, digest, hasPosition } = page;
      return batches === undefined
        ? { kind: 'gone', missing: hasPosition ? 'changes' : 'position', lastSeq }
        : { kind: 'batches', batches, lastSeq, digest };
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * Runs `use` with a consistent snapshot, on a connection of its own.
   *
   * @throws StoreUnavailable, and what `use` throws
   */
  async snapshot<T>(use: (snapshot: FeedSnapshot) => Promise<T>): Promise<T> {
    return await readSnapshot(this.address, this.snapshots, use);
  }

  /**
   * Says that a run of a nameserver process begins; call it before the first report.
   *
   * @throws StoreUnavailable
   */
  async announce(run: NameserverRun): Promise<void> {
    try {
      await announceRun(await this.connection.get(), run);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * Returns false if the report was rejected because another live process uses the same id.
   *
   * @throws StoreUnavailable
   */
  async report(report: PositionReport): Promise<boolean> {
    try {
      return await putReport(await this.connection.get(), report);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.snapshots) connection.destroy();
    await this.connection.close();
  }
}
