import { connectToTables } from './migrate.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, SessionLimits } from './postgres-connection.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { ConnectionLost } from './postgres-errors.ts';

/** A slice may have to wait for a cold disk, and a slow client needs time between two slices. */
const viewLimits: SessionLimits = { statementMs: 10_000, lockMs: 1000, idleInTransactionMs: 60_000 };

/** Connections that are kept while no view uses them: as many as an account may have views open. */
const MAX_IDLE = 4;

/**
 * The connections of zone views, each for one view at a time. Opening one starts a process in the database, which is slow
 * while that is busy; so a few are kept for the next views.
 */
export class ViewConnections {
  private readonly address: PostgresAddress;
  private readonly idle: PostgresConnection[] = [];
  private isClosed = false;

  constructor(address: PostgresAddress) {
    this.address = address;
  }

  /** Runs the statements that begin a view, on a new connection if that of an earlier view has been lost meanwhile. @throws StoreUnavailable after `close` */
  async begin<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const kept = this.takeIdle();
    if (kept !== undefined) {
      try {
        return await work(kept);
      } catch (error) {
        kept.destroy();
        if (!(error instanceof ConnectionLost)) throw error;
      }
    }
    this.checkOpen();
    const connection = await connectToTables(this.address, viewLimits);
    try {
      this.checkOpen();
      return await work(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Ends the view of the connection, also in the middle of a read. */
  async end(connection: PostgresConnection): Promise<void> {
    const isReusable = connection.isOpen && connection.pendingCount === 0;
    if (this.isClosed || !isReusable || this.idle.length >= MAX_IDLE) {
      await connection.close();
      return;
    }
    // The next view sends its first statement behind this one.
    connection.query('ROLLBACK').catch(() => connection.destroy());
    this.idle.push(connection);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.idle.splice(0).map((connection) => connection.close()));
  }

  /** Nothing would close a connection that is opened later. */
  private checkOpen(): void {
    if (this.isClosed) throw new StoreUnavailable('the store is closed');
  }

  private takeIdle(): PostgresConnection | undefined {
    for (let kept = this.idle.pop(); kept !== undefined; kept = this.idle.pop()) if (kept.isOpen) return kept;
    return undefined;
  }
}
