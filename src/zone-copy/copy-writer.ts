import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedBatch, FeedPosition } from '../store/postgres/feed-reader.ts';
import { emptyLog } from '../store/sqlite/empty-log.ts';
import { inTransaction } from '../store/sqlite/in-transaction.ts';
import {
  openDatabase,
  prepareQuery,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';
import { createRecordPurge } from '../store/sqlite/sqlite-upkeep.ts';
import { applyChanges, touchedUpdates } from './apply-changes.ts';
import { AFTER_ALL_NAMES, CopiedZones } from './copied-zones.ts';

/** Pages kept in memory by the writing connection: the upper pages of its two trees at ten million records. */
const WRITER_CACHE_KIB = 32 * 1024;

/**
 * Pages in the log before it is moved into the file, 16 MB. That stalls the thread for two fsyncs: of small commits on a
 * busy disk 1 in 100 took 21 ms with SQLite's own 1000 pages, 7 ms with 4000; with more, the rare ones take longer.
 */
const CHECKPOINT_PAGES = 4000;

/** What a long read makes the log grow beyond is given back to the disk. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * The one connection that writes the copy. Its rows and its position in the feed move in the same transaction, so that
 * a power cut, which may cost the last ones (`synchronous=NORMAL`), leaves a copy that goes on from where it stands.
 */
export class CopyWriter {
  readonly zones: CopiedZones;
  /** Null: nothing is known of what the copy holds. */
  position: FeedPosition | null;
  private readonly database: SqliteDatabase;
  private readonly purge: () => boolean;
  private readonly putPosition: SqliteStatement;

  constructor(path: string) {
    this.database = openDatabase(path);
    this.database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
    this.position = readPosition(this.database);
    this.zones = new CopiedZones(this.database);
    this.purge = createRecordPurge(this.database);
    this.putPosition = this.database.prepare('UPDATE copy SET seq = ?, batch = ?');
  }

  /** Without a domain. */
  isEmpty(): boolean {
    return this.zones.namesBetween('', AFTER_ALL_NAMES, 1).length === 0;
  }

  /** All of them or none; what they mean to those who serve the zones. */
  applyBatches(batches: readonly FeedBatch[]): ZoneUpdate[] {
    const last = batches.at(-1);
    if (last === undefined) return [];
    // Read before the commit: updates that cannot be told must not be behind us.
    const updates = this.inTransaction(() => {
      const touched = applyChanges(this.zones, changesOf(batches));
      this.writePosition(last.position);
      return touchedUpdates(this.zones, touched);
    });
    this.position = last.position;
    return updates;
  }

  setPosition(position: FeedPosition | null): void {
    this.writePosition(position);
    this.position = position;
  }

  /** A new one for the process that keeps this copy, from now on. */
  drawId(): string {
    const id = crypto.randomUUID();
    this.database.prepare('UPDATE copy SET id = ?').run(id);
    return id;
  }

  /** Removes some of the records that nobody reads any more; false when there are none. */
  purgeSlice(): boolean {
    return this.inTransaction(() => this.purge());
  }

  inTransaction<T>(work: () => T): T {
    return inTransaction(this.database, work);
  }

  close(): void {
    emptyLog(this.database);
    this.database.close();
  }

  private writePosition(position: FeedPosition | null): void {
    this.putPosition.run(position?.seq ?? null, position?.batch ?? null);
  }
}

function readPosition(database: SqliteDatabase): FeedPosition | null {
  const sql = 'SELECT seq, batch FROM copy WHERE batch IS NOT NULL';
  const row = prepareQuery<[seq: number, batch: string]>(database, sql).get();
  return row === undefined ? null : { seq: row[0], batch: row[1] };
}

function* changesOf(batches: readonly FeedBatch[]) {
  for (const { changes } of batches) yield* changes;
}
