// The two transactions of a large write: one decides on a snapshot and locks nothing; the other brings its rows into staging
// tables, and only then locks the feed, checks what the decision rests on, and copies the rows.
import { randomUUID } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import type { Steps } from '../../base/steps.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import type { Command } from '../../writes/command.ts';
import { readAgain, recordReads, type DecisionBasis } from '../../writes/decision-basis.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import {
  assertPreparable,
  noManyRows,
  rebaseWrites,
  type PreparedWrite,
  type Rebased,
} from '../../writes/prepared-write.ts';
import { runBatch, type Decision } from '../../writes/run-batch.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import { batchStatements } from './batch-statements.ts';
import {
  commit,
  CommitLost,
  LOCK_FEED,
  readLocked,
  rollBack,
  runInSession,
  type DecidedBatch,
} from './batch-transaction.ts';
import { stepDigest } from './directory-digest.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { RowLoader } from './row-loader.ts';
import {
  analyseStagedRows,
  copyStatements,
  createStagingTables,
  stageStatements,
} from './staged-statements.ts';
import { rowsNeeded } from './wanted-rows.ts';

/**
 * A holder of the feed's lock loses it after this time: its connection is closed. If the process itself is frozen, the
 * server ends its session after two seconds (`idleInTransactionMs`). Copying the most rows takes two or three seconds.
 */
const HOLD_LIMIT_MS = 10_000;

/** A decision that is not committed yet. */
export interface Prepared {
  readonly reply: Decision;
  readonly write: PreparedWrite;
  /** With all rows. */
  readonly writes: BatchWrites;
}

/** Whether the client of a command still waits. */
export type Wanted = () => boolean;

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const READ_COUNTERS = `SELECT ${COUNTER_COLUMNS} FROM counters`;

/** @param domainId the id that is reserved for a domain; null if there is none */
export async function decideOnSnapshot(
  connection: PostgresConnection,
  command: Command,
  domainId: number | null,
  quotas: Quotas | undefined,
  wanted: Wanted,
): Promise<Prepared> {
  const loader = new RowLoader([command], false);
  try {
    const [, counted, ...fetched] = await connection.pipeline([
      { text: BEGIN_SNAPSHOT },
      { text: READ_COUNTERS },
      ...loader.statements(),
    ]);
    await runInSession(connection, untilGone(loader.take(fetched), wanted));
    const found = toCounters(counted.rows[0] as unknown as CounterRow);
    const counters = domainId === null ? found : { ...found, lastDomainId: domainId - 1 };
    const { reply, writes, basis } = await decideWithRows(
      connection,
      command,
      counters,
      loader,
      quotas,
      wanted,
    );
    const small = { ...writes, ...noManyRows };
    return { reply, writes, write: { basis, counters, hasReservedId: domainId !== null, writes: small } };
  } finally {
    await rollBack(connection);
  }
}

/** Repeats until no row is missing, as for a batch. */
async function decideWithRows(
  connection: PostgresConnection,
  command: Command,
  counters: Counters,
  loader: RowLoader,
  quotas: Quotas | undefined,
  wanted: Wanted,
): Promise<{ reply: Decision; writes: BatchWrites; basis: DecisionBasis }> {
  for (;;) {
    const { reader, basis } = recordReads(loader.reader);
    const batch = new PendingBatch(reader, counters, quotas, command.dryRun === true);
    const steps = runBatch([command], batch, () => false);
    const [reply] = await runInSession(connection, untilGone(steps, wanted));
    if (loader.isComplete) return { reply, writes: batch.finish(), basis };
    const fetched = await connection.pipeline(loader.statements());
    await runInSession(connection, untilGone(loader.take(fetched), wanted));
  }
}

/** Ends work between two steps when nobody waits for its result any more. */
function* untilGone<T>(steps: Steps<T>, wanted: Wanted): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!wanted()) throw new StoreUnavailable('the client has gone');
    yield;
  }
}

/**
 * Commits a prepared write. The batch has no results if the basis has moved, and nothing was committed.
 *
 * @throws CommitLost
 */
export async function takeOver(
  connection: PostgresConnection,
  { reply, write, writes }: Prepared,
  quotas: Quotas | undefined,
  atMs: number,
): Promise<DecidedBatch> {
  assertPreparable(writes);
  let timer: NodeJS.Timeout | undefined;
  try {
    await connection.pipeline([{ text: 'BEGIN' }, ...createStagingTables]);
    for (const { text, values } of stageStatements(writes)) await connection.query(text, values);
    await connection.query(analyseStagedRows.text);
    timer = setTimeout(() => connection.destroy(), HOLD_LIMIT_MS);
    const { rebased, lastSeq, digest } = await lockAndRebase(connection, write, quotas);
    const id = randomUUID();
    if (rebased.kind !== 'ready') {
      await connection.query('ROLLBACK');
      const results: Decision[] =
        rebased.kind === 'moved' ? [] : [{ kind: 'decided', result: rebased.result }];
      return { id, results, lastSeq };
    }
    const { counters } = rebased.writes;
    assert(counters !== null, 'a write that changes something adds to the feed');
    const batch = { id, results: [reply], lastSeq: counters.lastSeq };
    const mark = { id, lastSeq: counters.lastSeq, atMs, digest: stepDigest(digest, rebased.writes) };
    const statements = [...copyStatements(rebased.seqStep), ...batchStatements(rebased.writes, mark, true)];
    await commit(connection, statements, batch);
    return batch;
  } catch (error) {
    if (!(error instanceof CommitLost)) await rollBack(connection);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function lockAndRebase(
  connection: PostgresConnection,
  write: PreparedWrite,
  quotas: Quotas | undefined,
) {
  const loader = new RowLoader([]);
  wantBasis(write, loader);
  const [locked, ...fetched] = await connection.pipeline([{ text: LOCK_FEED }, ...loader.statements()]);
  await runInSession(connection, loader.take(fetched));
  const { counters, digest } = readLocked(locked);
  for (;;) {
    const rebased = tryRebase(() => rebaseWrites(write, counters, loader.reader, quotas));
    if (rebased !== undefined) return { rebased, lastSeq: counters.lastSeq, digest };
    await runInSession(connection, loader.take(await connection.pipeline(loader.statements())));
  }
}

/** Returns undefined if rows have to be fetched first. */
function tryRebase(rebase: () => Rebased): Rebased | undefined {
  try {
    return rebase();
  } catch (error) {
    if (error === rowsNeeded) return undefined;
    throw error;
  }
}

/** Requests all rows of the basis together, so that the lock is held for one round trip more. */
function wantBasis({ basis, writes }: PreparedWrite, { reader }: RowLoader): void {
  const reads = [
    ...basis.map((entry) => () => readAgain(entry, reader)),
    ...writes.usageSteps.map(
      ({ accountId }) =>
        () =>
          reader.findQuota(accountId),
    ),
  ];
  for (const read of reads) tryRebase(() => (read(), { kind: 'moved' }));
}

/** A result that writes nothing rests on earlier commits. Locking the feed and committing waits until a standby has them. */
export async function acknowledge(connection: PostgresConnection, reply: Decision): Promise<DecidedBatch> {
  try {
    const [, locked] = await connection.pipeline([{ text: 'BEGIN' }, { text: LOCK_FEED }]);
    const batch = { id: randomUUID(), results: [reply], lastSeq: readLocked(locked).counters.lastSeq };
    await commit(connection, [], batch);
    return batch;
  } catch (error) {
    if (!(error instanceof CommitLost)) await rollBack(connection);
    throw error;
  }
}
