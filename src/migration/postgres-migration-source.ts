import { StoreOpenError } from '../store/store.ts';
import { SLICE_ROWS, type OpenTransferSource, type TransferSource } from './migration-ends.ts';
import type { TransferRow, TransferTable } from './migration-tables.ts';
import { checkStore } from '../store/postgres/check-store.ts';
import { formatPostgresAddress, type PostgresAddress } from '../store/postgres/postgres-address.ts';
import {
  connectPostgres,
  type PostgresConnection,
  type SessionLimits,
} from '../store/postgres/postgres-connection.ts';
import { toStoreError } from '../store/postgres/postgres-errors.ts';

/**
 * A slice takes milliseconds, counting ten million rows or their index seconds; between two statements the other side
 * may check a file of gigabytes.
 */
export const TRANSFER_LIMITS: SessionLimits = {
  statementMs: 600_000,
  lockMs: 5_000,
  idleInTransactionMs: 600_000,
};

/** The first version whose tables have all the columns that are copied. */
const OLDEST_READABLE_VERSION = 2;

/**
 * The store in a database, as it is at this moment. While it is open the server keeps what is deleted meanwhile.
 *
 * @param use `alone`: nothing can be written to it until this is closed; `shared`: services go on.
 * @throws StoreOpenError with one sentence; StoreUnavailable.
 */
export async function openPostgresSource(
  address: PostgresAddress,
  use: 'alone' | 'shared',
): Promise<OpenTransferSource> {
  const connection = await connectPostgres(address, TRANSFER_LIMITS);
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

/** The tables as the connection's transaction sees them. */
export function readPostgresTables(connection: PostgresConnection): TransferSource {
  return {
    async rowCount({ name }) {
      const { rows } = await explained(connection.query<[rows: number]>(`SELECT count(*) FROM ${name}`));
      return rows[0][0];
    },
    slices: (table) => readSlices(connection, table),
  };
}

async function* readSlices(
  connection: PostgresConnection,
  table: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  const { first, after } = sliceStatements(table);
  let { rows } = await explained(connection.query<TransferRow>(first));
  while (rows.length > 0) {
    const key = rows[rows.length - 1].slice(0, table.keyLength);
    // Asked for already while the caller is busy with these.
    const next = rows.length < SLICE_ROWS ? undefined : connection.query<TransferRow>(after, key);
    next?.catch(() => undefined);
    yield rows;
    if (next === undefined) return;
    ({ rows } = await explained(next));
  }
}

function sliceStatements({ name, columns, keyLength }: TransferTable): { first: string; after: string } {
  const names = columns.map((column) => column.name);
  const key = names.slice(0, keyLength).join(', ');
  const marks = names.slice(0, keyLength).map((_, index) => `$${index + 1}`);
  const statement = (where: string): string =>
    `SELECT ${names.join(', ')} FROM ${name} ${where} ORDER BY ${key} LIMIT ${SLICE_ROWS}`;
  return { first: statement(''), after: statement(`WHERE (${key}) > (${marks.join(', ')})`) };
}

async function explained<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Every batch takes the counters' row first: nobody gets it while we have the table. */
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
  // Before anything is read, so that what is seen is the last that was written.
  await connection.query('LOCK TABLE counters IN EXCLUSIVE MODE');
}
