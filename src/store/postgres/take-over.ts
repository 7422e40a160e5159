// The second transaction of a large write. It holds the lock of the feed only for what nobody may see before, and what others
// may have to wait for:
//
//   rows to staging tables ─▶ turn ─▶ insert new records ─▶ rest ─▶ lock the feed ─▶ basis unchanged? ─▶ delete and update
//                                                                      records, insert changes, switch the domain ─▶ COMMIT
import { randomUUID } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import { readAgain } from '../../writes/decision-basis.ts';
import {
  assertPreparable,
  rebaseWrites,
  type PreparedWrite,
  type Rebased,
} from '../../writes/prepared-write.ts';
import type { Decision } from '../../writes/run-batch.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
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
import { noteRest, readClock, restBeforeLock, takeLargeTurn } from './large-turns.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import type { Prepared } from './prepared-transaction.ts';
import { RowLoader } from './row-loader.ts';
import {
  analyseStagedRows,
  copyStatements,
  createStagingTables,
  INSERT_RECORDS,
  stageStatements,
} from './staged-statements.ts';
import { rowsNeeded } from './wanted-rows.ts';

/**
 * A holder of the feed's lock loses it after this time: its connection is closed. If the process itself is frozen, the
 * server ends its session after two seconds (`idleInTransactionMs`). Copying the most rows takes some three seconds.
 */
const HOLD_LIMIT_MS = 10_000;

const tooManyLarge: CommandReply = {
  kind: 'busy',
  message: 'Other large writes are waiting to be committed, try again',
};

/**
 * Commits a prepared write. The batch has no results if the basis has moved, and nothing was committed; nor was anything if
 * the result is not a decision.
 *
 * @throws CommitLost
 */
export async function takeOver(
  connection: PostgresConnection,
  { reply, write, writes, hasNewIds }: Prepared,
  quotas: Quotas | undefined,
  atMs: number,
): Promise<DecidedBatch> {
  assertPreparable(writes);
  let timer: NodeJS.Timeout | undefined;
  try {
    await connection.pipeline([{ text: 'BEGIN' }, ...createStagingTables]);
    for (const { text, values } of stageStatements(writes)) await connection.query(text, values);
    await connection.query(analyseStagedRows.text);
    const id = randomUUID();
    if (!(await takeLargeTurn(connection))) {
      await connection.query('ROLLBACK');
      return { id, results: [tooManyLarge], lastSeq: write.counters.lastSeq };
    }
    if (hasNewIds) await connection.query(INSERT_RECORDS);
    await restBeforeLock(connection);
    timer = setTimeout(() => connection.destroy(), HOLD_LIMIT_MS);
    const { rebased, lastSeq, digest, lockedAtMs } = await lockAndRebase(connection, write, quotas);
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
    const statements = [
      ...(hasNewIds ? [] : [{ text: INSERT_RECORDS }]),
      ...copyStatements(rebased.seqStep),
      ...batchStatements(rebased.writes, mark, true),
      noteRest(lockedAtMs),
    ];
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
  const [locked, clock, ...fetched] = await connection.pipeline([
    { text: LOCK_FEED },
    readClock,
    ...loader.statements(),
  ]);
  await runInSession(connection, loader.take(fetched));
  const { counters, digest } = readLocked(locked);
  const lockedAtMs = Number(clock.rows[0][0]);
  for (;;) {
    const rebased = tryRebase(() => rebaseWrites(write, counters, loader.reader, quotas));
    if (rebased !== undefined) return { rebased, lastSeq: counters.lastSeq, digest, lockedAtMs };
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
