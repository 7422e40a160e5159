// Decides and commits batches of commands on a connection of its own:
//
//   BEGIN, lock the feed, fetch rows ─▶ decide, fetch missing rows, decide again … ─▶ write, COMMIT ─▶ results
//
// A batch that is known to have failed is retried. After a lost COMMIT the writer first checks, holding the lock, whether the
// batch was committed. So nothing is written twice, and every result agrees with the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { runInEqualTurns } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { runBatch, type Decision } from '../../writes/run-batch.ts';
import type { StoreObserver } from '../store-observer.ts';
import { StoreOpenError } from '../store.ts';
import type { CommandReply, LostReply } from '../../writes/write-queue.ts';
import { batchStatements, splitBatch } from './batch-statements.ts';
import {
  beginBatch,
  commit,
  CommitLost,
  isLargeCommand,
  LARGE_BATCH_LIMIT_MS,
  rollBack,
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

export interface WriterOptions {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: StoreObserver;
  readonly quotas?: Quotas | undefined;
}

export interface BatchResult {
  /** In the order of the commands; those of the last commands are missing if the batch became too large for them. */
  readonly results: readonly CommandReply[];
  /** The end of the feed after the commit; null if the batch was not committed. */
  readonly lastSeq: number | null;
}

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
  private readonly connection: LastingConnection;
  readonly health = new WriteHealth();

  constructor(options: WriterOptions) {
    this.options = options;
    this.connection = new LastingConnection(() => connectToTables(options.address, writerLimits));
  }

  /** Decides the commands in order and commits their writes together. Never throws. */
  async commitBatch(commands: readonly Command[]): Promise<BatchResult> {
    try {
      return await this.tryUntilLimit(commands);
    } catch (error) {
      // A constraint violation or a bug is caused by one command; run alone, the commands show which one.
      if (commands.length > 1) return await this.commitOneByOne(commands);
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { results: [{ kind: 'failed', message }], lastSeq: null };
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** @throws only errors that are bugs */
  private async tryUntilLimit(commands: readonly Command[]): Promise<BatchResult> {
    const startMs = performance.now();
    this.health.batchStarted();
    const batchLimitMs = commands.some(isLargeCommand) ? LARGE_BATCH_LIMIT_MS : BATCH_LIMIT_MS;
    const timer = setTimeout(() => this.connection.drop(), batchLimitMs);
    let lost: DecidedBatch | null = null;
    try {
      for (;;) {
        try {
          const { results, lastSeq } = await this.finish(commands, lost, startMs + batchLimitMs);
          this.options.observer.batchCommitted(results.length, performance.now() - startMs);
          if (results.some(isAcknowledged)) this.health.worked();
          return { results, lastSeq };
        } catch (error) {
          if (error instanceof CommitLost) lost = error.batch;
          else if (error instanceof CommitUndone) lost = null;
          else if (isOurFault(error)) {
            if (lost !== null) return this.giveUp(commands, lost, error);
            throw error;
          }
          const limitMs = startMs + (lost === null ? RETRY_LIMIT_MS : batchLimitMs);
          const isHopeless = error instanceof StoreOpenError || performance.now() >= limitMs;
          if (isHopeless) return this.giveUp(commands, lost, error);
          await this.prepareRetry(error);
        }
      }
    } finally {
      clearTimeout(timer);
      this.health.batchEnded();
    }
  }

  /** @param lost a batch that may have been committed already */
  private async finish(
    commands: readonly Command[],
    lost: DecidedBatch | null,
    limitMs: number,
  ): Promise<DecidedBatch> {
    const connection = await this.connect(limitMs);
    if (lost === null) return await this.runOnce(connection, commands);
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

  private giveUp(commands: readonly Command[], lost: DecidedBatch | null, error: unknown): BatchResult {
    const message = messageOf(error);
    this.health.failed(message);
    this.options.log.error(
      { err: error, commands: commands.length },
      'a batch of writes could not be committed',
    );
    const kind = lost === null ? 'unavailable' : 'unknown';
    return { results: commands.map(() => ({ kind, message })), lastSeq: null };
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
      const { counters, digest, loader } = await beginBatch(connection, commands);
      const { results, writes } = await this.decideAll(connection, commands, counters, loader);
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
  ): Promise<{ results: Decision[]; writes: BatchWrites }> {
    for (;;) {
      const view = new PendingBatch(loader.reader, counters, this.options.quotas);
      const results = await runInEqualTurns(runBatch(commands, view, () => false));
      if (loader.isComplete) return { results, writes: view.finish() };
      await runInEqualTurns(loader.take(await connection.pipeline(loader.statements())));
    }
  }
}

/** Includes a repeat that writes nothing: the earlier write is committed, but see `wasCommitted`. */
function isAcknowledged(result: Decision): boolean {
  return result.kind === 'decided' && result.result.ok;
}

/** True if the batch contains only refusals and repeats. */
function isEmpty(writes: BatchWrites): boolean {
  return Object.values(writes).every((rows) => rows === null || (Array.isArray(rows) && rows.length === 0));
}
