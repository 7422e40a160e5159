// The transaction of one batch: lock the feed, fetch rows, commit, and find out afterwards whether a commit succeeded.
// Decides nothing.
import { runInEqualTurns, type Steps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import { DIGEST_COLUMNS, toDigest, type DigestRow } from './directory-digest.ts';
import type { PostgresConnection, Statement, StatementResult } from './postgres-connection.ts';
import { ConnectionLost, isPlainRefusal, messageOf } from './postgres-errors.ts';
import { RowLoader } from './row-loader.ts';
import type { HashName } from './want-signing-rows.ts';

/** A decided batch; its results hold if it was committed. */
export interface DecidedBatch {
  readonly id: string;
  readonly results: readonly CommandReply[];
  readonly lastSeq: number;
}

/** The connection was lost after COMMIT was sent. */
export class CommitLost extends Error {
  readonly batch: DecidedBatch;

  constructor(batch: DecidedBatch, reason: unknown) {
    super(messageOf(reason));
    this.batch = batch;
  }
}

/**
 * Locks the feed and fetches the rows that the commands are likely to need, in one round trip; those that signing needs, in
 * another.
 *
 * @param hashName undefined: no domain is signed
 */
export async function beginBatch(
  connection: PostgresConnection,
  commands: readonly Command[],
  hashName: HashName | undefined,
) {
  const loader = new RowLoader(commands, true, hashName);
  const wanted = loader.statements();
  const statements = [{ text: 'BEGIN' }, { text: LOCK_FEED }, ...wanted];
  const [, locked, ...fetched] = await connection.pipeline(statements);
  await runInSession(connection, loader.take(fetched));
  if (!loader.isComplete)
    await runInSession(connection, loader.take(await connection.pipeline(loader.statements())));
  return { ...readLocked(locked), loader };
}

/** @param locked the result of `LOCK_FEED` */
export function readLocked({ rows }: StatementResult) {
  const row = rows[0] as unknown as [...CounterRow, ...DigestRow];
  const counters = toCounters(row.slice(0, -DIGEST_LENGTH) as unknown as CounterRow);
  const digest = toDigest(row.slice(-DIGEST_LENGTH) as unknown as DigestRow, counters.lastSeq);
  return { counters, digest };
}

/** A quarter of the time after which the server ends the session of a process that says nothing. */
const SIGN_OF_LIFE_MS = 500;

/**
 * Runs work of this process in an open transaction. The server sees an idle session meanwhile, and ends one that is idle for
 * long, so that a process that is frozen does not keep its locks; a process that works says so.
 */
export async function runInSession<T>(connection: PostgresConnection, steps: Steps<T>): Promise<T> {
  const timer = setInterval(() => {
    // A connection that is lost fails the next statement.
    connection.query('SELECT').catch(() => undefined);
  }, SIGN_OF_LIFE_MS);
  try {
    return await runInEqualTurns(steps);
  } finally {
    clearInterval(timer);
  }
}

export const LOCK_FEED = `SELECT ${COUNTER_COLUMNS}, ${DIGEST_COLUMNS} FROM counters FOR UPDATE`;

/** The number of columns that `toDigest` takes. */
const DIGEST_LENGTH = 4;

/** @throws CommitLost if it cannot be known whether the batch was committed; otherwise the reason why it was not */
export async function commit(
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
  // The server answers COMMIT of a failed transaction with ROLLBACK, not with an error.
  if (committed.value.command === 'COMMIT') return;
  throw written.status === 'rejected' ? written.reason : new ConnectionLost('the batch was rolled back');
}

/**
 * Returns true if a batch whose COMMIT was lost is in the database. Holding the lock proves that its transaction has ended,
 * so its row exists now or never will. After a crash the server may show rows that its synchronous standby does not have
 * yet; COMMIT waits for the standby, because the transaction has locked a row.
 */
export async function wasCommitted(connection: PostgresConnection, { id }: DecidedBatch): Promise<boolean> {
  const [, , found] = await connection.pipeline([
    { text: 'BEGIN' },
    { text: LOCK_FEED },
    { text: 'SELECT FROM batches WHERE id = $1', values: [id] },
    { text: 'COMMIT' },
  ]);
  return found.rowCount > 0;
}

export async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query('ROLLBACK');
  } catch {
    connection.destroy();
  }
}
