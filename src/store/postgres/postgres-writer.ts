// Decides and commits batches of commands on a connection of its own:
//
//   BEGIN, lock the feed, fetch rows ─▶ decide, fetch missing rows, decide again … ─▶ write, COMMIT ─▶ results
//
// A batch that is known to have failed is retried. After a lost COMMIT the writer first checks, holding the lock, whether the
// batch was committed. So nothing is written twice, and every result agrees with the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import type { Command } from '../../writes/command.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { noPeopleWrites } from '../../writes/people-rows.ts';
import type { BatchSigning } from '../../writes/signing/batch-signing.ts';
import { runBatch, type Decision } from '../../writes/run-batch.ts';
import {
  openSigning,
  signingMoment,
  type NextSigning,
  type SigningClock,
  type SigningSettings,
} from '../signing-settings.ts';
import type { StoreObserver } from '../store-observer.ts';
import { StoreOpenError } from '../store.ts';
import type { CommandReply, LostReply } from '../../writes/write-queue.ts';
import { batchStatements } from './batch-statements.ts';
import { splitBatch } from './split-batch.ts';
import {
  beginBatch,
  commit,
  CommitLost,
  rollBack,
  runInSession,
  wasCommitted,
  type DecidedBatch,
} from './batch-transaction.ts';
import { WriteHealth } from '../write-health.ts';
import { stepDigest } from './directory-digest.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, SessionLimits } from './postgres-connection.ts';
import { ConnectionLost, isConflict, isOurFault, messageOf } from './postgres-errors.ts';
import type { RowLoader } from './row-loader.ts';
import { LastingConnection } from './lasting-connection.ts';
import { connectToTables } from './migrate.ts';
import { hashNameOf } from './want-signing-rows.ts';

/**
 * A batch takes milliseconds. If a process stalls while it holds the lock of the feed, the server ends its session well
 * before those that wait for the lock give up.
 */
export const writerLimits: SessionLimits = { statementMs: 5000, lockMs: 4000, idleInTransactionMs: 2000 };

/** How long a batch that fails for a temporary reason is retried; a failover takes seconds. */
const RETRY_LIMIT_MS = 6000;

/** A batch is abandoned after this time, and its callers receive what is known. */
export const BATCH_LIMIT_MS = 10_000;

/** Pause between two attempts to reach an unreachable database. */
const RETRY_PAUSE_MS = 100;

export interface WriterOptions extends SigningClock {
  readonly address: PostgresAddress;
  readonly log: Log;
  readonly observer: StoreObserver;
  readonly quotas?: Quotas | undefined;
  /** Absent: no domain can be signed. */
  readonly dnssec?: SigningSettings | undefined;
}

export interface BatchResult {
  /** In the order of the commands; those of the last commands are missing if the batch became too large for them. */
  readonly results: readonly CommandReply[];
  /** The end of the feed after the commit; null if the batch was not committed. */
  readonly lastSeq: number | null;
}

/** One attempt to decide and commit a batch. @throws CommitLost, or the reason why nothing was committed */
export type BatchWork = (connection: PostgresConnection) => Promise<DecidedBatch>;

/** Returns the first command whose commit failed or is in doubt, if any. */
export function findLost(results: readonly CommandReply[]): LostReply | undefined {
  return results.find(
    (result): result is LostReply => result.kind === 'unavailable' || result.kind === 'unknown',
  );
}

/** A batch whose COMMIT was lost is known not to be in the database. */
class CommitUndone extends Error {}

export class PostgresWriter {
  private readonly options: WriterOptions;
  readonly nextSigning: NextSigning;
  private readonly connection: LastingConnection;
  readonly health = new WriteHealth();

  constructor(options: WriterOptions, limits = writerLimits) {
    this.options = options;
    this.nextSigning = openSigning(options.dnssec, () => signingMoment(options));
    this.connection = new LastingConnection(() => connectToTables(options.address, limits));
  }

  /** Decides the commands in order and commits their writes together. Never throws. */
  async commitBatch(commands: readonly Command[]): Promise<BatchResult> {
    try {
      return await this.tryUntilLimit(commands.length, BATCH_LIMIT_MS, (connection) =>
        this.runOnce(connection, commands),
      );
    } catch (error) {
      // A constraint violation or a bug is caused by one command; run alone, the commands show which one.
      if (commands.length > 1) return await this.commitOneByOne(commands);
      return failedBatch(error);
    }
  }

  /** Commits a transaction of another kind; `work` must be repeatable as long as it is not committed. Never throws. */
  async commitWork(limitMs: number, work: BatchWork): Promise<BatchResult> {
    try {
      return await this.tryUntilLimit(1, limitMs, work);
    } catch (error) {
      return failedBatch(error);
    }
  }

  /** Runs work that may be repeated without harm. It is retried as batches are, as long as it is wanted. */
  async repeat<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    isWanted: () => boolean = () => true,
  ): Promise<T> {
    const limitMs = performance.now() + RETRY_LIMIT_MS;
    for (;;) {
      try {
        return await work(await this.connect(limitMs));
      } catch (error) {
        const isHopeless = error instanceof StoreOpenError || performance.now() >= limitMs;
        if (isHopeless || isOurFault(error) || !isWanted()) throw error;
        await this.prepareRetry(error);
      }
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** @throws only errors that are bugs */
  private async tryUntilLimit(count: number, batchLimitMs: number, work: BatchWork): Promise<BatchResult> {
    const startMs = performance.now();
    this.health.batchStarted();
    const timer = setTimeout(() => this.connection.drop(), batchLimitMs);
    let lost: DecidedBatch | null = null;
    try {
      for (;;) {
        try {
          const { results, lastSeq } = await this.finish(work, lost, startMs + batchLimitMs);
          if (results.length > 0)
            this.options.observer.batchCommitted(results.length, performance.now() - startMs);
          if (results.some(isAcknowledged)) this.health.worked();
          return { results, lastSeq };
        } catch (error) {
          if (error instanceof CommitLost) lost = error.batch;
          else if (error instanceof CommitUndone) lost = null;
          else if (isOurFault(error)) {
            if (lost !== null) return this.giveUp(count, lost, error);
            throw error;
          }
          const limitMs = startMs + (lost === null ? RETRY_LIMIT_MS : batchLimitMs);
          const isHopeless = error instanceof StoreOpenError || performance.now() >= limitMs;
          if (isHopeless) return this.giveUp(count, lost, error);
          await this.prepareRetry(error);
        }
      }
    } finally {
      clearTimeout(timer);
      this.health.batchEnded();
    }
  }

  /** @param lost a batch that may have been committed already */
  private async finish(work: BatchWork, lost: DecidedBatch | null, limitMs: number): Promise<DecidedBatch> {
    const connection = await this.connect(limitMs);
    if (lost === null) return await work(connection);
    if (await wasCommitted(connection, lost)) return lost;
    throw new CommitUndone('the connection was lost before the commit');
  }

  private async prepareRetry(error: unknown): Promise<void> {
    const { observer, log } = this.options;
    observer.batchRetried();
    // Ten times a second while the database is unreachable; the final failure is logged as an error.
    log.debug({ err: error }, 'retrying a batch of writes');
    if (isConflict(error) || error instanceof CommitUndone) return;
    this.connection.drop();
    await sleep(RETRY_PAUSE_MS);
  }

  private giveUp(count: number, lost: DecidedBatch | null, error: unknown): BatchResult {
    const message = messageOf(error);
    this.health.failed(message);
    this.options.log.error({ err: error, commands: count }, 'a batch of writes could not be committed');
    const kind = lost === null ? 'unavailable' : 'unknown';
    return { results: Array.from({ length: count }, () => ({ kind, message })), lastSeq: null };
  }

  /** Stops if the database becomes unreachable, because the remaining commands would only wait for the same answer. */
  private async commitOneByOne(commands: readonly Command[]): Promise<BatchResult> {
    const results: CommandReply[] = [];
    let lastSeq: number | null = null;
    for (const command of commands) {
      const alone = await this.commitBatch([command]);
      results.push(...alone.results);
      lastSeq = alone.lastSeq ?? lastSeq;
      const lost = findLost(alone.results);
      if (lost === undefined) continue;
      const { message } = lost;
      const left = commands.slice(results.length);
      return {
        results: [...results, ...left.map(() => ({ kind: 'unavailable', message }) as const)],
        lastSeq,
      };
    }
    return { results, lastSeq };
  }

  /** Connecting continues after the time limit, so that the next caller finds it done or in progress. */
  private async connect(limitMs: number): Promise<PostgresConnection> {
    const timer = new AbortController();
    const tooLate = sleep(Math.max(0, limitMs - performance.now()), undefined, { signal: timer.signal }).then(
      () => {
        throw new ConnectionLost('no connection in time');
      },
    );
    tooLate.catch(() => undefined);
    try {
      return await Promise.race([this.connection.get(), tooLate]);
    } finally {
      timer.abort();
    }
  }

  private async runOnce(connection: PostgresConnection, commands: readonly Command[]): Promise<DecidedBatch> {
    try {
      const signing = this.nextSigning();
      const { counters, digest, loader } = await beginBatch(connection, commands, hashNameOf(signing));
      const { results, writes } = await this.decideAll(connection, commands, counters, loader, signing);
      const lastSeq = writes.counters?.lastSeq ?? counters.lastSeq;
      const batch: DecidedBatch = { id: randomUUID(), results, lastSeq };
      const atMs = this.options.clock.nowMs();
      const mark = { id: batch.id, lastSeq, atMs, digest: stepDigest(digest, writes) };
      const { first, rest } = splitBatch(writes);
      for (const { text, values } of first) await connection.query(text, values);
      const hasChanges = writes.changes.length > 0;
      if (!isEmpty(writes)) await commit(connection, batchStatements(rest, mark, hasChanges), batch);
      else if (results.some(isAcknowledged)) await commit(connection, [], batch);
      else await connection.query('ROLLBACK');
      return batch;
    } catch (error) {
      if (!(error instanceof CommitLost)) await rollBack(connection);
      throw error;
    }
  }

  /** Repeats until no row is missing. Each round fetches at least one row, so this ends. */
  private async decideAll(
    connection: PostgresConnection,
    commands: readonly Command[],
    counters: Counters,
    loader: RowLoader,
    signing: BatchSigning | undefined,
  ): Promise<{ results: Decision[]; writes: BatchWrites }> {
    for (;;) {
      const view = new PendingBatch(loader.reader, counters, this.options.quotas, true, signing);
      const results = await runInSession(
        connection,
        runBatch(commands, view, () => false),
      );
      if (loader.isComplete) return { results, writes: view.finish() };
      await runInSession(connection, loader.take(await connection.pipeline(loader.statements())));
    }
  }
}

function failedBatch(error: unknown): BatchResult {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { results: [{ kind: 'failed', message }], lastSeq: null };
}

/** Includes a repeat that writes nothing: the earlier write is committed, but see `wasCommitted`. */
function isAcknowledged(result: CommandReply): boolean {
  return result.kind === 'decided' && result.result.ok;
}

/** True if the batch contains only refusals and repeats. */
function isEmpty(writes: BatchWrites): boolean {
  return Object.values(writes).every(
    (rows) => rows === null || rows === noPeopleWrites || (Array.isArray(rows) && rows.length === 0),
  );
}
