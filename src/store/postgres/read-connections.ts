import { StoreUnavailable } from '../store.ts';
import type { PostgresAddress } from './postgres-address.ts';
import {
  connectPostgres,
  type PostgresValue,
  type SessionLimits,
  type StatementResult,
} from './postgres-connection.ts';
import { ConnectionLost, toStoreError } from './postgres-errors.ts';
import { LastingConnection } from './lasting-connection.ts';

/** Each keeps one processor of the database busy; with the writer, upkeep and the feed's that is under ten a process. */
const READ_CONNECTIONS = 4;

/** Some 50 ms of point reads for each connection: beyond it a caller is better off asked to come again. */
const MAX_WAITING_READS = 2000;

const READ_LIMITS: SessionLimits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 2000 };

/** Single statements that only read, over a few connections: each goes behind those under way on the least busy one. */
export class ReadConnections {
  private readonly connections: readonly LastingConnection[];
  private waiting = 0;

  constructor(address: PostgresAddress) {
    this.connections = Array.from(
      { length: READ_CONNECTIONS },
      () => new LastingConnection(() => connectPostgres(address, READ_LIMITS)),
    );
  }

  /** Statements that are not answered yet. */
  get pendingCount(): number {
    return this.waiting;
  }

  /** @throws StoreUnavailable */
  async query<Row>(text: string, values: readonly PostgresValue[] = []): Promise<Row[]> {
    if (this.waiting >= MAX_WAITING_READS)
      throw new StoreUnavailable(`${this.waiting} reads are waiting already`);
    this.waiting++;
    try {
      return (await this.run<Row>(text, values)).rows;
    } catch (error) {
      throw toStoreError(error);
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
