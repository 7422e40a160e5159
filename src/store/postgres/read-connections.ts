import { ReadTimedOut, readLanes, type ReadLane } from '../long-reads.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { LastingConnection } from './lasting-connection.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresValue, SessionLimits, StatementResult } from './postgres-connection.ts';
import { ConnectionLost, isTimeout, toReadError } from './postgres-errors.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

export interface ReadLimits extends SessionLimits {
  readonly connections: number;
  /** Maximum number of statements that are not answered yet. */
  readonly pending: number;
}

/**
 * For short reads. Each connection can keep one processor of the database busy. With the connections for long reads, the
 * writer, upkeep and the feed, a process has about twelve. The pending limit is some 50 ms of point reads for each connection;
 * beyond that the caller should retry later.
 */
export const shortReads: ReadLimits = {
  connections: 4,
  pending: 2000,
  statementMs: 5000,
  lockMs: 1000,
  idleInTransactionMs: 2000,
};

/** For the long reads of a lane, of which each connection runs one at a time. */
export function longReads(lane: ReadLane): ReadLimits {
  const { atOnce, limitMs } = readLanes[lane];
  return { ...shortReads, connections: atOnce, pending: atOnce, statementMs: limitMs };
}

/** Sends single read-only statements to the least busy of a few connections. */
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

  /** Opens all connections, so that no read of a sudden many has to wait for one. Never rejects: reads try again. */
  async open(): Promise<void> {
    await Promise.allSettled(this.connections.map((connection) => connection.get()));
  }

  /** Number of statements that are not answered yet. */
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
      throw isTimeout(error) ? new ReadTimedOut(this.limits.statementMs) : toReadError(error);
    } finally {
      this.waiting--;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  /** A read that is lost with its connection is repeated once on a new one, which is harmless. */
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
