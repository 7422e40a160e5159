import type { PostgresConnection } from './postgres-connection.ts';

/** A shared connection that is opened when needed, and again after it was lost. */
export class LastingConnection {
  private readonly open: () => Promise<PostgresConnection>;
  private current: Promise<PostgresConnection> | undefined;
  private connection: PostgresConnection | undefined;
  private closed = false;

  constructor(open: () => Promise<PostgresConnection>) {
    this.open = open;
  }

  /** Number of statements in progress. */
  get pendingCount(): number {
    return this.connection?.pendingCount ?? 0;
  }

  /** Concurrent callers share one attempt; all of them get its error. */
  get(): Promise<PostgresConnection> {
    if (this.closed) return Promise.reject(new Error('the store is closed'));
    if (this.current === undefined || this.connection?.isOpen === false) this.current = this.connect();
    return this.current;
  }

  /** Closes the connection immediately: its statements are rejected, and the next caller opens a new one. */
  drop(): void {
    this.connection?.destroy();
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.current?.catch(() => undefined);
    await connection?.close();
  }

  private async connect(): Promise<PostgresConnection> {
    this.connection = undefined;
    try {
      this.connection = await this.open();
      return this.connection;
    } catch (error) {
      this.current = undefined;
      throw error;
    }
  }
}
