import { finishSteps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { rebaseWrites, type PreparedWrite } from '../../writes/prepared-write.ts';
import { runBatch } from '../../writes/run-batch.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import type { RowReader } from '../../writes/row-reader.ts';
import {
  BUSY_TIMEOUT_MS,
  openDatabase,
  prepareQuery,
  sqliteErrorCode,
  type Query,
  type SqliteDatabase,
} from './sqlite-driver.ts';
import { decodePreparedWrite } from '../threads/packed-zone-key.ts';
import type { NextSigning } from '../signing-settings.ts';
import type { SentCommit } from '../followed-zones.ts';
import { emptyLog } from './empty-log.ts';
import { fileIdentity } from './file-identity.ts';
import { inTransaction } from './in-transaction.ts';
import { createRowReader } from './sqlite-row-reader.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import type { StagedWrite, TakenOver } from './preparing-messages.ts';
import { copyStagedRows, withStagedRows } from './staged-rows.ts';
import { createRowWriter } from './write-rows.ts';

export interface BatchResult {
  /** In the order of the commands; those of the last commands are missing if the batch became too large for them. */
  readonly results: readonly CommandReply[];
  /** The end of the feed after the commit; null if nothing was committed. */
  readonly lastSeq: number | null;
  /** The changes for followers; absent if they must read them. */
  readonly commit?: SentCommit | undefined;
}

const SQLITE_CONSTRAINT = 19;

/** Page cache of the writing connection: the inner pages of ten million records, and the leaves in use. */
const WRITER_CACHE_KIB = 64 * 1024;

/**
 * Pages in the write-ahead log (16 MiB) at which a commit also moves them into the store's file: 12 ms every 60 batches, a
 * quarter less work than with SQLite's default of 1000 pages. Checkpoints on a separate thread gained 3 ms at the 99th
 * percentile and nothing else.
 */
const CHECKPOINT_PAGES = 4000;

/** Size to which the log is truncated after a long read let it grow. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** Wait for a reader that prevents shortening the log: longer than reading a page takes, short enough for all writers. */
const SHORTEN_WAIT_MS = 50;

/**
 * The only connection that writes. It is synchronous, so it runs on a thread of its own. Commits are durable (fsync) when
 * `commitBatch` returns.
 */
export class SqliteWriter {
  readonly database: SqliteDatabase;
  /** Receives the id of a restored domain whose hash is not known: an earlier version has deleted it. */
  onUnhashed: (domainId: number) => void = () => undefined;
  /** The identity of the store's file. */
  private readonly file: string;
  private readonly rows: RowReader;
  private readonly quotas: Quotas | undefined;
  private readonly nextSigning: NextSigning;
  private readonly counters: Query<CounterRow>;
  private readonly writeRows: (writes: BatchWrites) => void;

  constructor(path: string, quotas?: Quotas, nextSigning: NextSigning = () => undefined) {
    this.quotas = quotas;
    this.nextSigning = nextSigning;
    this.database = openDatabase(path);
    this.file = fileIdentity(path);
    this.database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES};
      PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA temp_store = MEMORY`);
    this.keepLogShort(true);
    this.rows = createRowReader(this.database);
    this.counters = prepareQuery(this.database, `SELECT ${COUNTER_COLUMNS} FROM counters`);
    this.writeRows = createRowWriter(this.database);
  }

  /** Decides the first commands in order and commits their writes together. Does not throw if the store fails. */
  commitBatch(commands: readonly Command[]): BatchResult {
    try {
      return this.tryBatch(commands);
    } catch (error) {
      const code = sqliteErrorCode(error);
      const isOurFault = code === undefined || code === SQLITE_CONSTRAINT;
      // A constraint violation or a bug is caused by one command; run alone, the commands show which one.
      if (isOurFault && commands.length > 1) return this.commitOneByOne(commands);
      const result = describeFailure(error, isOurFault);
      return { results: commands.map(() => result), lastSeq: null };
    }
  }

  /**
   * Commits a write that was prepared outside, if its basis has not changed. Does not throw if the store fails. From then on
   * commits leave the log as it is, until `keepLogShort`: moving hundreds of megabytes would hold up all other writes.
   */
  takeOver(staged: StagedWrite): TakenOver & { readonly lastSeq: number | null } {
    this.keepLogShort(false);
    try {
      return withStagedRows(this.database, staged.path, () =>
        this.inTransaction(() => this.takeOverRows(decodePreparedWrite(staged.text))),
      );
    } catch (error) {
      const code = sqliteErrorCode(error);
      return { ...describeFailure(error, code === undefined || code === SQLITE_CONSTRAINT), lastSeq: null };
    }
  }

  /** @param isKept whether a commit moves the log into the store's file when it is long */
  keepLogShort(isKept: boolean): void {
    this.database.exec(`PRAGMA wal_autocheckpoint = ${isKept ? CHECKPOINT_PAGES : 0}`);
  }

  /** Returns an id that no domain ever had or gets, but the one for which it is reserved. */
  reserveDomainId(): number {
    return this.inTransaction(() => {
      this.database.exec('UPDATE counters SET last_domain_id = last_domain_id + 1');
      return this.readCounters().lastDomainId;
    });
  }

  /** Used for upkeep between batches. */
  inTransaction<T>(work: () => T): T {
    return inTransaction(this.database, work);
  }

  /** Moves everything that no reader needs out of the log, which truncates it if there is no reader. */
  shortenLog(): void {
    this.database.exec(`PRAGMA busy_timeout = ${SHORTEN_WAIT_MS}`);
    try {
      emptyLog(this.database);
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  close(): void {
    this.shortenLog();
    this.database.close();
  }

  private tryBatch(commands: readonly Command[]): BatchResult {
    return this.inTransaction(() => {
      const before = this.readCounters();
      const view = new PendingBatch(this.rows, before, this.quotas, true, this.nextSigning());
      const isStoreFault = (error: unknown): boolean => sqliteErrorCode(error) !== undefined;
      const results = finishSteps(runBatch(commands, view, isStoreFault));
      const writes = view.finish();
      this.writeRows(writes);
      for (const { id, contentHash } of writes.createdDomains) if (contentHash === null) this.onUnhashed(id);
      const afterSeq = before.lastSeq;
      const lastSeq = writes.counters?.lastSeq ?? afterSeq;
      return {
        results,
        lastSeq,
        commit: lastSeq === afterSeq ? undefined : this.describe(view, afterSeq, lastSeq),
      };
    });
  }

  /** A bug there must not fail a write: followers read the file then. */
  private describe(view: PendingBatch, afterSeq: number, lastSeq: number): SentCommit | undefined {
    try {
      const updates = view.servedUpdates();
      return updates && { file: this.file, afterSeq, lastSeq, updates };
    } catch {
      return undefined;
    }
  }

  private takeOverRows(prepared: PreparedWrite): TakenOver & { readonly lastSeq: number | null } {
    const rebased = rebaseWrites(prepared, this.readCounters(), this.rows, this.quotas);
    if (rebased.kind === 'moved') return { kind: 'moved', lastSeq: null };
    if (rebased.kind === 'refused') return { kind: 'decided', result: rebased.result, lastSeq: null };
    this.writeRows(rebased.writes);
    copyStagedRows(this.database, rebased.seqStep);
    return { kind: 'written', lastSeq: rebased.writes.counters?.lastSeq ?? null };
  }

  private readCounters(): Counters {
    const counters = this.counters.get();
    if (counters === undefined) throw new Error('the counters row is missing');
    return toCounters(counters);
  }

  private commitOneByOne(commands: readonly Command[]): BatchResult {
    const batches = commands.map((command) => this.commitBatch([command]));
    return {
      results: batches.flatMap(({ results }) => results),
      lastSeq: batches.reduce<number | null>((last, { lastSeq }) => lastSeq ?? last, null),
    };
  }
}

/** A bug is reported with its stack; for a full disk the message is enough. */
function describeFailure(error: unknown, isOurFault: boolean): CommandReply {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error) };
  return isOurFault
    ? { kind: 'failed', message: error.stack ?? error.message }
    : { kind: 'unavailable', message: error.message };
}
