// Decides and commits batches of commands, on one connection that nothing else uses:
//
//   BEGIN, lock the feed, fetch rows ─▶ decide, fetch what is missing, decide again … ─▶ write, COMMIT ─▶ results
//
// A batch is run again after what is known to have failed; after a lost COMMIT it is first looked for under the lock. So
// nothing is written twice, and no result says more than the database does.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { runInEqualTurns } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { runBatch, type Decision } from '../../writes/run-batch.ts';
import type { StoreObserver } from '../store-observer.ts';
import { StoreOpenError } from '../store.ts';
import { counterColumns, toCounters, type CounterRow } from '../table-rows.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { batchStatements, splitBatch } from './batch-statements.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, SessionLimits, Statement } from './postgres-connection.ts';
import { ConnectionLost, isConflict, isOurFault, isPlainRefusal, messageOf } from './postgres-errors.ts';
import { RowLoader } from './row-loader.ts';
import { LastingConnection } from './lasting-connection.ts';
import { connectToTables } from './migrate.ts';

/**
 * A batch takes milliseconds. One that goes silent while it holds the feed's lock is thrown out by the server, well
 * before those that wait for the lock give up.
 */
export const WRITER_LIMITS: SessionLimits = { statementMs: 5000, lockMs: 4000, idleInTransactionMs: 2000 };

/** A batch that failed for a passing reason is run again until then: a failover takes seconds. */
const RETRY_LIMIT_MS = 6000;

/** And is ended then, whatever it waits for: its callers are told what is known. */
export const BATCH_LIMIT_MS = 10_000;

/** A whole zone takes seconds; on a busy machine, or with the largest zone, several times as long. */
const LARGE_BATCH_LIMIT_MS = 30_000;

/** Between two attempts to reach a database that is away. */
const RETRY_PAUSE_MS = 100;

export interface WriterOptions {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: StoreObserver;
}

export interface BatchResult {
  /** In the order of the commands. */
  readonly results: readonly CommandReply[];
  /** Where the feed ended when it was committed; null when it was not. */
  readonly lastSeq: number | null;
}

/** The first command that the database did not answer for, if any. */
export function findLost(results: readonly CommandReply[]): LostWrite | undefined {
  return results.find(
    (result): result is LostWrite => result.kind === 'unavailable' || result.kind === 'unknown',
  );
}

type LostWrite = Exclude<CommandReply, Decision>;

/** One attempt, as decided: the truth if it was committed. */
interface DecidedBatch {
  readonly id: string;
  readonly results: readonly Decision[];
  readonly lastSeq: number;
}

/** The connection was lost after COMMIT was sent. */
class CommitLost extends Error {
  readonly batch: DecidedBatch;

  constructor(batch: DecidedBatch, reason: unknown) {
    super(messageOf(reason));
    this.batch = batch;
  }
}

/** What was lost at its COMMIT is known not to be there. */
class CommitUndone extends Error {}

export class PostgresWriter {
  private readonly options: WriterOptions;
  private readonly connection: LastingConnection;

  constructor(options: WriterOptions) {
    this.options = options;
    this.connection = new LastingConnection(() => connectToTables(options.address, WRITER_LIMITS));
  }

  /** Decides the commands in order and commits what they write at once. Never throws. */
  async commitBatch(commands: readonly Command[]): Promise<BatchResult> {
    try {
      return await this.tryUntilLimit(commands);
    } catch (error) {
      // A row that contradicts another, or a bug, is one command's fault: alone, each shows whose.
      if (commands.length > 1) return await this.commitOneByOne(commands);
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { results: [{ kind: 'failed', message }], lastSeq: null };
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** @throws only our own faults */
  private async tryUntilLimit(commands: readonly Command[]): Promise<BatchResult> {
    const startMs = performance.now();
    const batchLimitMs = commands.some(isLarge) ? LARGE_BATCH_LIMIT_MS : BATCH_LIMIT_MS;
    const timer = setTimeout(() => this.connection.drop(), batchLimitMs);
    let lost: DecidedBatch | null = null;
    try {
      for (;;) {
        try {
          const { results, lastSeq } = await this.finish(commands, lost, startMs + batchLimitMs);
          this.options.observer.batchCommitted(commands.length, performance.now() - startMs);
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
    }
  }

  /** @param lost what may have been committed already */
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
    // Ten times a second where the database is away; what that comes to is said at the end.
    log.debug({ err: error }, 'a batch of writes is tried again');
    if (isConflict(error) || error instanceof CommitUndone) return;
    this.connection.drop();
    await sleep(RETRY_PAUSE_MS);
  }

  private giveUp(commands: readonly Command[], lost: DecidedBatch | null, error: unknown): BatchResult {
    const message = messageOf(error);
    this.options.log.error(
      { err: error, commands: commands.length },
      'a batch of writes could not be committed',
    );
    const kind = lost === null ? 'unavailable' : 'unknown';
    return { results: commands.map(() => ({ kind, message })), lastSeq: null };
  }

  /** Where the database goes away meanwhile, those left would only wait as long for the same answer. */
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

  /** Connecting goes on behind: whoever comes next finds it done, or under way. */
  private async connect(limitMs: number): Promise<PostgresConnection> {
    const given = new AbortController();
    const tooLate = sleep(Math.max(0, limitMs - performance.now()), undefined, { signal: given.signal }).then(
      () => {
        throw new ConnectionLost('no connection in time');
      },
    );
    tooLate.catch(() => undefined);
    try {
      return await Promise.race([this.connection.get(), tooLate]);
    } finally {
      given.abort();
    }
  }

  private async runOnce(connection: PostgresConnection, commands: readonly Command[]): Promise<DecidedBatch> {
    try {
      const { counters, loader } = await beginBatch(connection, commands);
      const { results, writes } = await this.decideAll(connection, commands, counters, loader);
      const lastSeq = writes.counters?.lastSeq ?? counters.lastSeq;
      const batch: DecidedBatch = { id: randomUUID(), results, lastSeq };
      const mark = { id: batch.id, lastSeq, atMs: this.options.clock.nowMs() };
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

  /** Again and again until no row is missing; each turn fetches at least one, so this ends. */
  private async decideAll(
    connection: PostgresConnection,
    commands: readonly Command[],
    counters: Counters,
    loader: RowLoader,
  ): Promise<{ results: Decision[]; writes: BatchWrites }> {
    for (;;) {
      const view = new PendingBatch(loader.reader, counters);
      const results = await runInEqualTurns(runBatch(commands, view, () => false));
      if (loader.isComplete) return { results, writes: view.finish() };
      await runInEqualTurns(loader.take(await connection.pipeline(loader.statements())));
    }
  }
}

/** Takes the feed's lock and fetches what the commands are likely to need, in one flight. */
async function beginBatch(connection: PostgresConnection, commands: readonly Command[]) {
  const loader = new RowLoader(commands);
  const wanted = loader.statements();
  const patience = commands.some(isLarge) ? [{ text: thinkLonger }] : [];
  const statements = [{ text: 'BEGIN' }, { text: lockFeed }, ...wanted, ...patience];
  const [, locked, ...fetched] = await connection.pipeline(statements);
  await runInEqualTurns(loader.take(fetched));
  return { counters: toCounters(locked.rows[0] as unknown as CounterRow), loader };
}

/** Deciding takes some 5 µs a record, on a busy processor several times as long: the server waits for it. */
const LARGE_COMMAND_RECORDS = 20_000;
const thinkLonger = `SET LOCAL idle_in_transaction_session_timeout = ${LARGE_BATCH_LIMIT_MS}`;

function isLarge(command: Command): boolean {
  if (command.kind === 'importZone')
    return command.mode === 'replace' || command.records.length > LARGE_COMMAND_RECORDS;
  return command.kind === 'revertRecords' || command.kind === 'restoreDomain';
}

const lockFeed = `SELECT ${counterColumns} FROM counters FOR UPDATE`;

/** @throws CommitLost where nobody knows; else the server's reason why nothing was committed. */
async function commit(
  connection: PostgresConnection,
  statements: readonly Statement[],
  batch: DecidedBatch,
): Promise<void> {
  const [written, committed] = await Promise.allSettled([
    connection.pipeline(statements),
    connection.query('COMMIT'),
  ]);
  if (written.status === 'rejected' && isPlainRefusal(written.reason)) throw written.reason;
  if (committed.status === 'rejected') {
    if (isPlainRefusal(committed.reason)) throw committed.reason;
    throw new CommitLost(batch, committed.reason);
  }
  // The server answers COMMIT of a failed transaction so, and as if all were well.
  if (committed.value.command === 'COMMIT') return;
  throw written.status === 'rejected' ? written.reason : new ConnectionLost('the batch was rolled back');
}

/**
 * With the lock in hand the batch's transaction has ended: its row is there, or never will be. A server that crashed may
 * show what its synchronous standby has not: having locked a row, COMMIT waits for that, too.
 */
async function wasCommitted(connection: PostgresConnection, { id }: DecidedBatch): Promise<boolean> {
  const [, , found] = await connection.pipeline([
    { text: 'BEGIN' },
    { text: lockFeed },
    { text: 'SELECT FROM batches WHERE id = $1', values: [id] },
    { text: 'COMMIT' },
  ]);
  return found.rowCount > 0;
}

async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query('ROLLBACK');
  } catch {
    connection.destroy();
  }
}

/** Also a repeat, which writes nothing: what it repeats is committed, but see `wasCommitted`. */
function isAcknowledged(result: Decision): boolean {
  return result.kind === 'decided' && result.result.ok;
}

/** Refusals and repeats alone. */
function isEmpty(writes: BatchWrites): boolean {
  return Object.values(writes).every((rows) => rows === null || (Array.isArray(rows) && rows.length === 0));
}
