import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedBatch, FeedChange, FeedPosition } from '../store/postgres/feed-reader.ts';
import { emptyLog } from '../store/sqlite/empty-log.ts';
import { inTransaction } from '../store/sqlite/in-transaction.ts';
import {
  openDatabase,
  prepareQuery,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';
import { createRecordPurge } from '../store/sqlite/sqlite-upkeep.ts';
import { applyBatches, touchedUpdates } from './apply-changes.ts';
import { AwaitedZones } from './awaited-zones.ts';
import { AFTER_ALL_NAMES, CopiedZones } from './copied-zones.ts';

/** Page cache of the writing connection: the upper pages of its two trees at ten million records. */
const WRITER_CACHE_KIB = 32 * 1024;

/**
 * Pages in the log (16 MB) at which it is moved into the file. That stalls the thread for two fsyncs: on a busy disk the
 * slowest 1 % of small commits took 21 ms with SQLite's default of 1000 pages and 7 ms with 4000. With more pages, the rare
 * stalls become longer.
 */
const CHECKPOINT_PAGES = 4000;

/** Size to which the log is truncated after a long read let it grow. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** Zones whose rows were found wrong; a `CopyChecks`. */
export interface DamagedZones {
  readonly damaged: ReadonlySet<ZoneName>;
  note(name: ZoneName): void;
}

export interface AppliedBatches {
  readonly updates: ZoneUpdate[];
  /** Changes of awaited zones. */
  readonly heldBack: readonly FeedChange[];
}

/**
 * The only connection that writes the copy. Rows and position in the feed change in the same transaction. A power failure
 * may lose the last transactions (`synchronous=NORMAL`), but leaves a copy that continues from its position.
 */
export class CopyWriter {
  readonly zones: CopiedZones;
  readonly awaited: AwaitedZones;
  /** Null if the copy does not correspond to any position. */
  position: FeedPosition | null;
  private readonly database: SqliteDatabase;
  private readonly purge: () => boolean;
  private readonly putPosition: SqliteStatement;
  private readonly putDigest: SqliteStatement;
  /** Undefined: not known. */
  private storedDigest: string | undefined;

  constructor(path: string) {
    this.database = openDatabase(path);
    this.database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
    this.position = readPosition(this.database);
    this.zones = new CopiedZones(this.database);
    this.awaited = new AwaitedZones(this.database);
    this.purge = createRecordPurge(this.database);
    this.putPosition = this.database.prepare('UPDATE copy SET seq = ?, batch = ?');
    this.putDigest = this.database.prepare('UPDATE copy SET digest = ?');
  }

  /** True if the copy has no domain. */
  isEmpty(): boolean {
    return this.zones.namesBetween('', AFTER_ALL_NAMES, 1).length === 0;
  }

  /** Applies all changes or none, but for those of awaited zones. */
  applyBatches(batches: readonly FeedBatch[], damage: DamagedZones): AppliedBatches {
    const last = batches.at(-1);
    if (last === undefined) return { updates: [], heldBack: [] };
    // Built before the commit, so that nothing is committed whose updates cannot be built.
    const applied = this.inTransaction(() => {
      const { touched, heldBack } = applyBatches(this, batches);
      this.writePosition(last.position);
      const updates = touchedUpdates(
        this.zones,
        touched,
        (name) => damage.damaged.has(name),
        (name) => damage.note(name),
      );
      return { updates, heldBack };
    });
    this.position = last.position;
    return applied;
  }

  setPosition(position: FeedPosition | null): void {
    this.writePosition(position);
    this.position = position;
  }

  /** All zones have been copied at that position: none waits for its content any more. */
  finishCopying(position: FeedPosition | null): void {
    this.inTransaction(() => {
      this.awaited.clear();
      this.writePosition(position);
    });
    this.position = position;
  }

  /** Keeps the id of the process that keeps this copy. */
  putId(id: string): void {
    this.database.prepare('UPDATE copy SET id = ?').run(id);
  }

  /** Removes some of the hidden records; returns false if there are none. */
  purgeSlice(): boolean {
    return this.inTransaction(() => this.purge());
  }

  /** The digest of the zones changes with their rows. */
  inTransaction<T>(work: () => T): T {
    const before = this.zones.digest.copy();
    try {
      return inTransaction(this.database, () => {
        const result = work();
        const { digest } = this;
        if (digest !== this.storedDigest) this.putDigest.run(digest);
        this.storedDigest = digest;
        return result;
      });
    } catch (error) {
      this.zones.restoreDigest(before);
      this.awaited.reload();
      this.storedDigest = undefined;
      throw error;
    }
  }

  /** The sum of the hashes of all zones. */
  get digest(): string {
    return this.zones.digest.toString();
  }

  /** Draws a new generation, which the file keeps while a process has it open. */
  drawGeneration(): string {
    const generation = crypto.randomUUID();
    this.database.prepare('UPDATE copy SET generation = ?').run(generation);
    return generation;
  }

  close(): void {
    try {
      emptyLog(this.database);
    } finally {
      this.database.close();
    }
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
