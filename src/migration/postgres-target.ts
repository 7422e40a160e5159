import { FILL_USAGE } from '../store/fill-usage.ts';
import { FILL_TRAIL_USAGE } from '../store/trail-columns.ts';
import { MigrationError, type StoreContent, type MigrationTarget } from './store-content.ts';
import type { Row, StoreTable } from './store-tables.ts';
import { applyMissing, checkVersion, HALF_FILLED_TABLE, readVersion } from '../store/postgres/migrate.ts';
import { formatPostgresAddress, type PostgresAddress } from '../store/postgres/postgres-address.ts';
import { connectPostgres, type PostgresConnection } from '../store/postgres/postgres-connection.ts';
import { isConflict, toStoreError } from '../store/postgres/postgres-errors.ts';
import { readPostgresTables, migrationLimits } from './postgres-source.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** "ZNWT": the advisory lock held while a database is being filled. */
const MIGRATION_LOCK = 0x5a4e5754;

/**
 * Opens a database that is to receive a store. Tables and rows are written in one transaction, so an empty or incomplete
 * store is never visible: nameserver processes that follow the database keep serving their zone copies.
 *
 * @throws StoreOpenError or MigrationError with one sentence; StoreUnavailable
 */
export async function openPostgresTarget(address: PostgresAddress, nowMs: number): Promise<MigrationTarget> {
  const connection = await connectPostgres(address, migrationLimits);
  try {
    const { rows } = await connection.query<[boolean]>('SELECT pg_try_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!rows[0][0]) {
      throw new MigrationError(`a move or restore into ${formatPostgresAddress(address)} is under way`);
    }
    const hasTables = checkVersion(await readVersion(connection), address) > 0;
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return new PostgresTarget(connection, address, nowMs, hasTables);
  } catch (error) {
    await connection.close();
    throw error instanceof MigrationError ? error : toStoreError(error);
  }
}

class PostgresTarget implements MigrationTarget {
  readonly place: string;
  readonly existing: StoreContent | null;
  readonly written: StoreContent;
  private readonly connection: PostgresConnection;
  private readonly address: PostgresAddress;
  private readonly nowMs: number;
  private state: 'looking' | 'filling' | 'committed' = 'looking';
  /** The insert of the last slice; it runs while the next slice is read. */
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(connection: PostgresConnection, address: PostgresAddress, nowMs: number, hasTables: boolean) {
    this.connection = connection;
    this.address = address;
    this.nowMs = nowMs;
    this.place = formatPostgresAddress(address);
    const tables = readPostgresTables(connection);
    this.existing = hasTables ? tables : null;
    this.written = {
      rowCount: (table) => this.afterLastSlice().then(() => tables.rowCount(table)),
      slices: (table) => tables.slices(table),
    };
  }

  async begin(): Promise<void> {
    await this.explained(async () => {
      await this.connection.query('ROLLBACK');
      await this.connection.query(`CREATE TABLE IF NOT EXISTS ${HALF_FILLED_TABLE} ()`);
      this.state = 'filling';
      await this.connection.query('BEGIN');
      await applyMissing(this.connection, this.address, this.nowMs);
      // A service that started before the marker table existed may be writing by now.
      const emptied = await this.connection.query(
        'DELETE FROM counters WHERE last_seq = 0 AND account_count = 0 AND key_count = 0',
      );
      if (emptied.rowCount === 0) throw new MigrationError(`a service has started writing to ${this.place}`);
      await this.connection.query('DELETE FROM upkeep_time');
    });
  }

  async insert(table: StoreTable, rows: readonly Row[]): Promise<void> {
    await this.afterLastSlice();
    const columns = table.columns.map((_, index) => rows.map((row) => row[index]));
    this.underWay = this.connection.query(insertStatement(table), columns);
    // Awaited with the next slice, or at the end.
    this.underWay.catch(() => undefined);
  }

  async commit(): Promise<void> {
    await this.explained(async () => {
      // Followers find no batch with the id they have seen last, and restart from a snapshot.
      await this.connection.query(
        `INSERT INTO batches (id, last_seq, has_changes, at)
         SELECT gen_random_uuid(), last_seq, true, $1 FROM counters WHERE last_seq > 0`,
        [this.nowMs],
      );
      for (const statement of `${FILL_USAGE}${FILL_TRAIL_USAGE}`
        .split(';')
        .filter((text) => text.trim() !== '')) {
        await this.connection.query(statement);
      }
      await this.connection.query("SELECT setval(pg_get_serial_sequence('trail', 'id'), max(id)) FROM trail");
      await this.connection.query(`DROP TABLE ${HALF_FILLED_TABLE}`);
      await this.connection.query('ANALYZE accounts, keys, domains, records, changes');
    });
    await this.commitTransaction();
  }

  /** The server rolls back an open transaction when the connection ends. */
  async close(): Promise<void> {
    if (this.state === 'filling' && this.connection.isOpen) {
      await this.connection.query('ROLLBACK').catch(() => undefined);
      await this.connection.query(`DROP TABLE IF EXISTS ${HALF_FILLED_TABLE}`).catch(() => undefined);
    }
    await this.connection.close();
  }

  private async commitTransaction(): Promise<void> {
    try {
      const { command } = await this.connection.query('COMMIT');
      if (command !== 'COMMIT')
        throw new StoreUnavailable(`${this.place} rejected the rows, nothing was changed`);
      this.state = 'committed';
    } catch (error) {
      if (this.connection.isOpen) throw toStoreError(error);
      throw new StoreUnavailable(
        `the connection to ${this.place} was lost during the commit: repeat the command to check whether it succeeded`,
        { cause: error },
      );
    }
  }

  private async afterLastSlice(): Promise<void> {
    await this.explained(() => this.underWay);
  }

  private async explained(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof MigrationError) throw error;
      if (isConflict(error)) {
        throw new MigrationError(`${this.place} is in use: stop the services on it first`, { cause: error });
      }
      throw toStoreError(error);
    }
  }
}

const arrayTypes = { integer: 'bigint[]', text: 'text[]', bytes: 'bytea[]' } as const;

function insertStatement({ name, columns }: StoreTable): string {
  const names = columns.map((column) => column.name).join(', ');
  const arrays = columns.map(({ kind }, index) => `$${index + 1}::${arrayTypes[kind]}`).join(', ');
  return `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays})`;
}
