// The feed of a PostgreSQL store as followers use it: whole batches after a position, a consistent snapshot to start from, a
// notification for each batch, and the reports of nameserver processes. Never writes domains or records.
import { monotonicClock, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { CHANGE_COLUMNS, toChange, type ChangeRow } from '../table-rows.ts';
import { readSnapshot, type FeedPosition, type FeedSnapshot } from './feed-snapshot.ts';
import { DATABASE_CLOCK } from './database-state.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, SessionLimits } from './postgres-connection.ts';
import { refuseTransactionPooling } from './refuse-pooling.ts';
import { toStoreError } from './postgres-errors.ts';
import { LastingConnection } from './lasting-connection.ts';
import { announceRun, putReport, type NameserverRun, type PositionReport } from './position-report.ts';
import type { Change } from '../../writes/change.ts';

export type { FeedPosition, FeedSnapshot, SnapshotHead, SnapshotRecord } from './feed-snapshot.ts';

export interface FeedChange extends Change {
  /** The account of the domain, with domainPut; empty if it is not known. */
  readonly accountId: string;
}

export interface FeedBatch {
  readonly position: FeedPosition;
  readonly changes: readonly FeedChange[];
  /** The digest of all domains after it (see directory-digest.ts); null: not known. */
  readonly digest: string | null;
}

export type FeedPage =
  | {
      readonly kind: 'batches';
      readonly batches: readonly FeedBatch[];
      readonly lastSeq: number;
      /** The digest at the position that was asked for; null: not known. */
      readonly digest: string | null;
    }
  /** The feed does not have the position (it was pruned, or lost in a failover): restart from a snapshot. */
  | { readonly kind: 'gone'; readonly lastSeq: number };

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
   * @throws StoreUnavailable
   */
  async read(position: FeedPosition, maxChanges: number): Promise<FeedPage> {
    try {
      const connection = await this.connection.get();
      const startMs = monotonicClock.elapsedMs();
      const [, found, batches, changes] = await connection.pipeline([
        { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
        { text: POSITION_QUERY, values: [position.batch, position.seq] },
        { text: BATCHES_QUERY, values: [position.seq, maxChanges] },
        { text: changesQuery, values: [position.seq, maxChanges] },
        { text: 'COMMIT' },
      ]);
      const [lastSeq, isKnown, databaseMs, digest] = found.rows[0] as [
        number,
        boolean,
        number,
        string | null,
      ];
      this.offsetMs = this.clock.nowMs() - (monotonicClock.elapsedMs() - startMs) / 2 - databaseMs;
      if (!isKnown) return { kind: 'gone', lastSeq };
      const ends = batches.rows as BatchEnd[];
      const rows = changes.rows as unknown as FeedRow[];
      const whole = splitIntoBatches(position.seq, ends, rows.map(toFeedChange));
      return whole === undefined
        ? { kind: 'gone', lastSeq }
        : { kind: 'batches', batches: whole, lastSeq, digest };
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

type BatchEnd = [id: string, lastSeq: number, digest: string | null];

const POSITION_QUERY = `
  SELECT last_seq, EXISTS (SELECT FROM batches WHERE id = $1 AND batches.last_seq = $2), ${DATABASE_CLOCK},
    (SELECT digest FROM batches WHERE id = $1)
  FROM counters`;

/** Takes as many batches as fit, at least one. */
const BATCHES_QUERY = `
  SELECT id, last_seq, digest FROM batches
  WHERE has_changes AND last_seq > $1
    AND last_seq <= greatest($1 + $2::bigint,
      (SELECT last_seq FROM batches WHERE has_changes AND last_seq > $1 ORDER BY last_seq LIMIT 1))
  ORDER BY last_seq`;

type FeedRow = [...change: ChangeRow, accountId: string];

function toFeedChange(row: FeedRow): FeedChange {
  return { ...toChange(row.slice(0, -1) as unknown as ChangeRow), accountId: row[row.length - 1] as string };
}

/** A process of an earlier version writes no account with a change; a domain that it has deleted since has none. */
const ACCOUNT_COLUMN = `
  CASE kind WHEN 'domainPut'
    THEN coalesce(changes.account_id, (SELECT domains.account_id FROM domains WHERE id = changes.domain_id), '')
    ELSE '' END`;

const changesQuery = `
  SELECT ${CHANGE_COLUMNS}, ${ACCOUNT_COLUMN} FROM changes
  WHERE seq > $1
    AND seq <= greatest($1 + $2::bigint,
      (SELECT last_seq FROM batches WHERE has_changes AND last_seq > $1 ORDER BY last_seq LIMIT 1))
  ORDER BY seq`;

/** Changes after the last end belong to a batch of the next page. Returns undefined if a change is missing. */
function splitIntoBatches(
  startSeq: number,
  ends: readonly BatchEnd[],
  changes: readonly FeedChange[],
): FeedBatch[] | undefined {
  let beforeSeq = startSeq;
  const batches: FeedBatch[] = [];
  for (const [batch, seq, digest] of ends) {
    const own = changes.slice(beforeSeq - startSeq, seq - startSeq);
    if (own.length !== seq - beforeSeq || own.at(-1)?.seq !== seq) return undefined;
    batches.push({ position: { seq, batch }, changes: own, digest });
    beforeSeq = seq;
  }
  return batches;
}
