// The first transaction of a large write: decides on a snapshot and locks nothing. The second one is in `take-over.ts`.
import type { Steps } from '../../base/steps.ts';
import { isGeneratedId } from '../../model/generated-row.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import type { Command } from '../../writes/command.ts';
import { recordReads, type DecisionBasis } from '../../writes/decision-basis.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { noManyRows, type PreparedWrite } from '../../writes/prepared-write.ts';
import type { BatchSigning } from '../../writes/signing/batch-signing.ts';
import { runBatch, type Decision } from '../../writes/run-batch.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import { rollBack, runInSession } from './batch-transaction.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { RowLoader } from './row-loader.ts';
import { hashNameOf } from './want-signing-rows.ts';

/** A decision that is not committed yet. */
export interface Prepared {
  readonly reply: Decision;
  readonly write: PreparedWrite;
  /** With all rows. */
  readonly writes: BatchWrites;
  /**
   * No other transaction inserts records with these ids, so that they can be inserted before the feed is locked. Otherwise
   * one that does would wait for this one, while it holds the lock.
   */
  readonly hasNewIds: boolean;
}

/** Whether the client of a command still waits. */
export type Wanted = () => boolean;

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const READ_COUNTERS = `SELECT ${COUNTER_COLUMNS} FROM counters`;

export interface DecisionTerms {
  /** The id that is reserved for a domain; null if there is none. */
  readonly domainId: number | null;
  readonly quotas: Quotas | undefined;
  readonly signing: BatchSigning | undefined;
}

export async function decideOnSnapshot(
  connection: PostgresConnection,
  command: Command,
  terms: DecisionTerms,
  wanted: Wanted,
): Promise<Prepared> {
  const { domainId } = terms;
  const loader = new RowLoader([command], false, hashNameOf(terms.signing));
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
      terms,
      wanted,
    );
    const small = { ...writes, ...noManyRows };
    const write: PreparedWrite = { basis, counters, hasReservedId: domainId !== null, writes: small };
    // Reverts bring back records with the ids that they had, and ids of signatures follow from names: another writer may be
    // inserting the same ones.
    const isSigned = writes.createdRecords.some(({ record }) => isGeneratedId(record.id));
    const hasNewIds = !isSigned && (command.kind === 'importZone' || command.kind === 'changeRecords');
    return { reply, writes, write, hasNewIds };
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
  { quotas, signing }: DecisionTerms,
  wanted: Wanted,
): Promise<{ reply: Decision; writes: BatchWrites; basis: DecisionBasis }> {
  for (;;) {
    const { reader, basis } = recordReads(loader.reader);
    const batch = new PendingBatch(reader, counters, quotas, command.dryRun === true, signing);
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
