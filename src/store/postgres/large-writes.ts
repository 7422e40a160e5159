import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { MAX_PREPARATIONS } from '../../writes/prepared-write.ts';
import { resultOf } from '../../writes/write-queue.ts';
import { whenServed, type ServedWrites } from '../after-commit.ts';
import { LARGE_AT_ONCE, PreparingTurns } from '../preparing-turns.ts';
import { acknowledge, decideOnSnapshot, takeOver, type Prepared } from './prepared-transaction.ts';
import { PostgresWriter, type BatchResult, type WriterOptions } from './postgres-writer.ts';
import { toStoreError } from './postgres-errors.ts';
import type { SessionLimits } from './postgres-connection.ts';

/** Copying all rows of a table is one statement, and so is reading a zone. */
const largeLimits: SessionLimits = { statementMs: 10_000, lockMs: 4000, idleInTransactionMs: 2000 };

/** Bringing the largest zone into staging tables takes seconds, during which nobody waits. */
const LARGE_LIMIT_MS = 30_000;

const RESERVE_ID = 'UPDATE counters SET last_domain_id = last_domain_id + 1 RETURNING last_domain_id';

export interface LargeWritesParts extends WriterOptions {
  /** Called with the command of a committed write as soon as it is committed. */
  readonly onCommitted: (commands: readonly Command[]) => void;
  /** Undefined: callers are answered at once. */
  readonly served: ServedWrites | undefined;
}

/** An object, because a promise of the answer would be awaited in the turn of the command. */
interface Written {
  readonly answer: Promise<CommandResult<Command>>;
}

/** Decides large commands on snapshots, and holds the lock of the feed only while their rows are copied. */
export class LargeWrites {
  private readonly parts: LargeWritesParts;
  private readonly turns: PreparingTurns<PostgresWriter>;

  constructor(parts: LargeWritesParts) {
    this.parts = parts;
    this.turns = new PreparingTurns(
      Array.from({ length: LARGE_AT_ONCE }, () => new PostgresWriter(parts, largeLimits)),
    );
  }

  /**
   * Returns undefined if the basis of the command moved each time, so that it has to be decided under the lock.
   *
   * @throws StoreBusy or StoreUnavailable: nothing was committed; CommitInDoubt
   */
  async run(command: Command, getSignal?: GetSignal): Promise<CommandResult<Command> | undefined> {
    const written = await this.turns.run(command, getSignal, (writer, signal) =>
      this.prepareUntilWritten(writer, command, signal),
    );
    return await written?.answer;
  }

  /** Answers the commands that are under way, and refuses those that wait. */
  async close(): Promise<void> {
    await this.turns.close();
    await Promise.all(this.turns.workers.map((writer) => writer.close()));
  }

  private async prepareUntilWritten(
    writer: PostgresWriter,
    command: Command,
    signal: AbortSignal | undefined,
  ): Promise<Written | undefined> {
    const { quotas, clock } = this.parts;
    let domainId: number | null = null;
    for (let attempt = 1; attempt <= MAX_PREPARATIONS; attempt++) {
      const prepared = await this.decide(writer, command, domainId, signal);
      const { reply, writes } = prepared;
      if (reply.kind === 'failed' || !reply.result.ok)
        return { answer: Promise.resolve(resultOf(command, reply)) };
      // A repeat of an earlier request has changed something, but does not do so again.
      const changes = writes.changes.length > 0;
      const batch = await writer.commitWork(LARGE_LIMIT_MS, (connection) =>
        changes ? takeOver(connection, prepared, quotas, clock.nowMs()) : acknowledge(connection, reply),
      );
      if (batch.results.length > 0) return { answer: this.answer(command, batch, changes) };
      if (writes.createdDomains.length > 0) domainId = await this.reserveDomainId(writer);
    }
    return undefined;
  }

  private async decide(
    writer: PostgresWriter,
    command: Command,
    domainId: number | null,
    signal: AbortSignal | undefined,
  ): Promise<Prepared> {
    try {
      return await writer.repeat(
        (connection) => decideOnSnapshot(connection, command, domainId, this.parts.quotas, signal),
        () => signal?.aborted !== true,
      );
    } catch (error) {
      throw toStoreError(error);
    }
  }

  private async reserveDomainId(writer: PostgresWriter): Promise<number> {
    try {
      return await writer.repeat(async (connection) => {
        const { rows } = await connection.query<[number]>(RESERVE_ID);
        return rows[0][0];
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }

  private async answer(
    command: Command,
    { results, lastSeq }: BatchResult,
    isWritten: boolean,
  ): Promise<CommandResult<Command>> {
    if (lastSeq === null) return resultOf(command, results[0]);
    if (isWritten) this.parts.onCommitted([command]);
    const result = resultOf(command, results[0]);
    if (result.ok) await whenServed(this.parts.served, command, lastSeq);
    return result;
  }
}
