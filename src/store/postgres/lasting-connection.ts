import type { PostgresConnection } from './postgres-connection.ts';

/** One connection for many, opened when it is wanted and again after it was lost. */
export class LastingConnection {
  private readonly open: () => Promise<PostgresConnection>;
  private current: Promise<PostgresConnection> | undefined;
  private connection: PostgresConnection | undefined;
  private closed = false;

  constructor(open: () => Promise<PostgresConnection>) {
    this.open = open;
  }

  /** Statements under way. */
  get pendingCount(): number {
    return this.connection?.pendingCount ?? 0;
  }

  /** Callers at the same time share one attempt; each error is that of the last attempt. */
  get(): Promise<PostgresConnection> {
    if (this.closed) return Promise.reject(new Error('the store is closed'));
    if (this.current === undefined || this.connection?.isOpen === false) this.current = this.connect();
    return this.current;
  }

  /** Ends it at once: what it was doing is rejected, the next caller opens another. */
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
