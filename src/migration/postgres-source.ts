import { StoreOpenError } from '../store/store.ts';
import { SLICE_ROWS, type MigrationSource, type StoreContent } from './store-content.ts';
import type { Row, StoreTable } from './store-tables.ts';
import { checkStore } from '../store/postgres/check-store.ts';
import { formatPostgresAddress, type PostgresAddress } from '../store/postgres/postgres-address.ts';
import {
  connectPostgres,
  type PostgresConnection,
  type SessionLimits,
} from '../store/postgres/postgres-connection.ts';
import { toStoreError } from '../store/postgres/postgres-errors.ts';

/**
 * Reading a slice takes milliseconds, counting or indexing ten million rows takes seconds. Between two statements the other
 * end may check a file of several gigabytes.
 */
export const migrationLimits: SessionLimits = {
  statementMs: 600_000,
  lockMs: 5_000,
  idleInTransactionMs: 600_000,
};

/** The first version whose tables have all the columns that are copied. */
const OLDEST_READABLE_VERSION = 2;

/**
 * Opens a snapshot of the store in a database. The server keeps every deleted row until it is closed.
 *
 * @param use `alone`: nothing can be written to the store until the source is closed; `shared`: services keep running
 * @throws StoreOpenError with one sentence; StoreUnavailable
 */
export async function openPostgresSource(
  address: PostgresAddress,
  use: 'alone' | 'shared',
): Promise<MigrationSource> {
  const connection = await connectPostgres(address, migrationLimits);
  try {
    await checkStore(connection, address, OLDEST_READABLE_VERSION);
    if (use === 'alone') await takeAlone(connection, address);
    else await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      place: formatPostgresAddress(address),
      ...readPostgresTables(connection),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw toStoreError(error);
  }
}

/** Reads the tables as the connection's transaction sees them. */
export function readPostgresTables(connection: PostgresConnection): StoreContent {
  return {
    async rowCount(table) {
      if (await explained(isAbsent(connection, table))) return 0;
      const { rows } = await explained(
        connection.query<[rows: number]>(`SELECT count(*) FROM ${table.name}`),
      );
      return rows[0][0];
    },
    slices: (table) => readSlices(connection, table),
  };
}

async function isAbsent(connection: PostgresConnection, { name, isLater }: StoreTable): Promise<boolean> {
  if (!isLater) return false;
  const { rows } = await connection.query<[boolean]>('SELECT to_regclass($1) IS NULL', [name]);
  return rows[0][0];
}

async function* readSlices(
  connection: PostgresConnection,
  table: StoreTable,
): AsyncGenerator<readonly Row[]> {
  if (await explained(isAbsent(connection, table))) return;
  const { first, after } = sliceStatements(table, await explained(columnsOf(connection, table)));
  let { rows } = await explained(connection.query<Row>(first));
  while (rows.length > 0) {
    const key = rows[rows.length - 1].slice(0, table.keyLength);
    // Fetch the next slice while the caller processes this one.
    const next = rows.length < SLICE_ROWS ? undefined : connection.query<Row>(after, key);
    next?.catch(() => undefined);
    yield rows;
    if (next === undefined) return;
    ({ rows } = await explained(next));
  }
}

/** Tables of an earlier version lack some. */
async function columnsOf(connection: PostgresConnection, { name }: StoreTable): Promise<readonly string[]> {
  const { rows } = await connection.query<[name: string]>(
    'SELECT attname::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped',
    [name],
  );
  return rows.flat();
}

function sliceStatements(
  { name, columns, keyLength }: StoreTable,
  existing: readonly string[],
): { first: string; after: string } {
  const names = columns.map((column) => column.name);
  const values = names.map((column) => (existing.includes(column) ? column : 'NULL'));
  const key = names.slice(0, keyLength).join(', ');
  const marks = names.slice(0, keyLength).map((_, index) => `$${index + 1}`);
  const statement = (where: string): string =>
    `SELECT ${values.join(', ')} FROM ${name} ${where} ORDER BY ${key} LIMIT ${SLICE_ROWS}`;
  return { first: statement(''), after: statement(`WHERE (${key}) > (${marks.join(', ')})`) };
}

async function explained<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Locks out all writers: every batch locks the row in `counters` first, and this locks the table. */
async function takeAlone(connection: PostgresConnection, address: PostgresAddress): Promise<void> {
  const { rows } = await connection.query<[names: string | null]>(
    `SELECT string_agg(DISTINCT application_name, ', ') FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
  );
  const names = rows[0]?.[0] ?? null;
  if (names !== null) {
    throw new StoreOpenError(
      `${formatPostgresAddress(address)} is in use (by ${names === '' ? 'a connection without a name' : names}): stop the services on it first`,
    );
  }
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  // The snapshot is taken by the first read, so lock first: nothing can be written after it.
  await connection.query('LOCK TABLE counters IN EXCLUSIVE MODE');
}
