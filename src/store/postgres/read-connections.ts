import { LONG_READ_MS, LONG_READS_AT_ONCE, queryTimedOut } from '../long-reads.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { LastingConnection } from './lasting-connection.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresValue, SessionLimits, StatementResult } from './postgres-connection.ts';
import { ConnectionLost, isTimeout, toReadError } from './postgres-errors.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

export interface ReadLimits extends SessionLimits {
  readonly connections: number;
  /** Statements not answered yet. */
  readonly pending: number;
}

/**
 * Reads of few rows. Each connection keeps one processor of the database busy; with those for long reads, the writer's,
 * upkeep's and the feed's that is about ten a process. Pending are some 50 ms of point reads for each: beyond it a caller is
 * better off asked to come again.
 */
export const shortReads: ReadLimits = {
  connections: 4,
  pending: 2000,
  statementMs: 5000,
  lockMs: 1000,
  idleInTransactionMs: 2000,
};

/** Reads that look at many rows, in turns: each connection has one. */
export const longReads: ReadLimits = {
  ...shortReads,
  connections: LONG_READS_AT_ONCE,
  pending: LONG_READS_AT_ONCE,
  statementMs: LONG_READ_MS,
};

/** Single statements that only read, over a few connections: each goes behind those under way on the least busy one. */
export class ReadConnections {
  private readonly connections: readonly LastingConnection[];
  private readonly limits: ReadLimits;
  private waiting = 0;

  constructor(address: PostgresAddress, limits: ReadLimits) {
    this.limits = limits;
    this.connections = Array.from(
      { length: limits.connections },
      () => new LastingConnection(() => connectToTables(address, limits)),
    );
  }

  /** Statements that are not answered yet. */
  get pendingCount(): number {
    return this.waiting;
  }

  /** @throws StoreUnavailable */
  async query<Row>(text: string, values: readonly PostgresValue[] = []): Promise<Row[]> {
    if (this.waiting >= this.limits.pending)
      throw new StoreUnavailable(`${this.waiting} reads are waiting already`);
    this.waiting++;
    try {
      return (await this.run<Row>(text, values)).rows;
    } catch (error) {
      throw isTimeout(error) ? queryTimedOut(this.limits.statementMs) : toReadError(error);
    } finally {
      this.waiting--;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  /** A read does no harm done twice: one that was lost with its connection is asked once more on a new one. */
  private async run<Row>(text: string, values: readonly PostgresValue[]): Promise<StatementResult<Row>> {
    const shared = this.leastBusy();
    try {
      return await (await shared.get()).query<Row>(text, values);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return await (await shared.get()).query<Row>(text, values);
    }
  }

  private leastBusy(): LastingConnection {
    return this.connections.reduce((least, other) =>
      other.pendingCount < least.pendingCount ? other : least,
    );
  }
}
