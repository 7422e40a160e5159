import type { Clock } from '../../base/clock.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import type { Command } from '../../writes/command.ts';
import { MAX_PREPARATIONS } from '../../writes/prepared-write.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { MAX_REST_MS } from '../writer-rest.ts';
import { MAX_TURN_WAIT_MS } from './large-turns.ts';
import { decideOnSnapshot, type Prepared, type Wanted } from './prepared-transaction.ts';
import type { PostgresWriter } from './postgres-writer.ts';
import { toStoreError } from './postgres-errors.ts';
import { acknowledge, takeOver } from './take-over.ts';

/** Bringing the largest zone into staging tables takes seconds, during which nobody waits; then it waits for its turn, and rests. */
const LARGE_LIMIT_MS = 30_000 + MAX_TURN_WAIT_MS + MAX_REST_MS;

const RESERVE_ID = 'UPDATE counters SET last_domain_id = last_domain_id + 1 RETURNING last_domain_id';

export interface LargeWriteParts {
  readonly writer: PostgresWriter;
  readonly quotas: Quotas | undefined;
  readonly clock: Clock;
  /** Whether the client still waits. */
  readonly wanted: Wanted;
}

export interface LargeWriteOutcome {
  readonly reply: CommandReply;
  /** The end of the feed after the commit; null if nothing was committed. */
  readonly lastSeq: number | null;
}

/**
 * Decides a large command on a snapshot and commits it. Returns undefined if its basis moved each time, so that it has to be
 * decided under the lock.
 *
 * @throws what `toStoreError` returns: nothing was committed
 */
export async function writeLarge(
  parts: LargeWriteParts,
  command: Command,
): Promise<LargeWriteOutcome | undefined> {
  const { writer, quotas, clock } = parts;
  let domainId: number | null = null;
  for (let attempt = 1; attempt <= MAX_PREPARATIONS; attempt++) {
    const prepared = await decide(parts, command, domainId);
    const { reply, writes } = prepared;
    if (reply.kind === 'failed' || !reply.result.ok) return { reply, lastSeq: null };
    // A repeat of an earlier request has changed something, but does not do so again.
    const { results, lastSeq } = await writer.commitWork(LARGE_LIMIT_MS, (connection) =>
      writes.changes.length > 0
        ? takeOver(connection, prepared, quotas, clock.nowMs())
        : acknowledge(connection, reply),
    );
    const taken = results.at(0);
    if (taken?.kind === 'busy') return { reply: taken, lastSeq: null };
    if (taken !== undefined) return { reply: taken, lastSeq };
    if (writes.createdDomains.length > 0) domainId = await reserveDomainId(writer);
  }
  return undefined;
}

async function decide(
  { writer, quotas, wanted }: LargeWriteParts,
  command: Command,
  domainId: number | null,
): Promise<Prepared> {
  try {
    return await writer.repeat(
      (connection) =>
        decideOnSnapshot(connection, command, { domainId, quotas, signing: writer.nextSigning() }, wanted),
      wanted,
    );
  } catch (error) {
    throw toStoreError(error);
  }
}

async function reserveDomainId(writer: PostgresWriter): Promise<number> {
  try {
    return await writer.repeat(async (connection) => {
      const { rows } = await connection.query<[number]>(RESERVE_ID);
      return rows[0][0];
    });
  } catch (error) {
    throw toStoreError(error);
  }
}
