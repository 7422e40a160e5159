import { StoreOpenError } from '../store.ts';
import { migrations, type Migration } from './migrations/migrations.ts';
import { formatPostgresAddress, type PostgresAddress } from './postgres-address.ts';
import { connectPostgres, type PostgresConnection, type SessionLimits } from './postgres-connection.ts';
import { refuseTransactionPooling } from './refuse-pooling.ts';
import { messageOf, sqlState } from './postgres-errors.ts';

/** "ZNWR": the advisory lock held by the process that migrates the tables. */
const MIGRATION_LOCK = 0x5a4e5752;

/** A new index on ten million rows takes minutes; other processes wait as long for the migration. */
const migrationLimits: SessionLimits = {
  statementMs: 600_000,
  lockMs: 600_000,
  idleInTransactionMs: 10_000,
};

const DUPLICATE_TABLE = '42P07';

/**
 * Brings the tables up to date, with all missing migrations in one transaction. If several processes start together, one of
 * them migrates.
 *
 * @throws StoreOpenError if the tables have a newer version or belong to another program; StoreUnavailable
 */
export async function migratePostgres(
  address: PostgresAddress,
  nowMs: number,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const connection = await connectPostgres(address, migrationLimits);
  try {
    await refuseTransactionPooling(connection, address);
    await refuseHalfFilled(connection, address);
    const isCurrent = checkVersion(await readVersion(connection), address, steps) === steps.length;
    if (!isCurrent) await runMissing(connection, address, nowMs, steps);
  } finally {
    await connection.close();
  }
}

/**
 * Opens a connection and checks the version of the tables, because a newer program may have migrated them since the start.
 *
 * @throws StoreOpenError if the tables have a newer version
 */
export async function connectToTables(
  address: PostgresAddress,
  limits: SessionLimits,
): Promise<PostgresConnection> {
  const connection = await connectPostgres(address, limits);
  try {
    checkVersion(await readVersion(connection), address);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function runMissing(
  connection: PostgresConnection,
  address: PostgresAddress,
  nowMs: number,
  steps: readonly Migration[],
): Promise<void> {
  await connection.query('BEGIN');
  await applyMissing(connection, address, nowMs, steps);
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('the migrations were rolled back');
}

/** Runs inside the transaction of the caller and excludes other migrations until its end. */
export async function applyMissing(
  connection: PostgresConnection,
  address: PostgresAddress,
  nowMs: number,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await connection.query(VERSION_TABLE);
  const version = checkVersion(await readNewest(connection), address, steps);
  try {
    for (const step of steps.slice(version)) await apply(connection, step, nowMs);
  } catch (error) {
    if (sqlState(error) !== DUPLICATE_TABLE) throw error;
    throw new StoreOpenError(
      `${formatPostgresAddress(address)} has tables of another program: ${messageOf(error)}`,
    );
  }
}

const VERSION_TABLE = `
  CREATE TABLE IF NOT EXISTS zonewright_schema (
    number  INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    at      BIGINT NOT NULL -- milliseconds
  )`;

async function apply(
  connection: PostgresConnection,
  { number, name, sql }: Migration,
  nowMs: number,
): Promise<void> {
  for (const statement of splitStatements(sql)) await connection.query(statement);
  await connection.query('INSERT INTO zonewright_schema VALUES ($1, $2, $3)', [number, name, nowMs]);
}

/** The extended protocol takes one statement at a time; our statements contain `;` only at their ends. */
function splitStatements(sql: string): string[] {
  const withoutComments = sql.replaceAll(/--.*$/gm, '');
  return withoutComments.split(';').filter((statement) => statement.trim() !== '');
}

/** Needs no lock and no privilege to create tables; returns 0 if there are no tables. */
export async function readVersion(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query<[boolean]>("SELECT to_regclass('zonewright_schema') IS NOT NULL");
  const [exists] = rows[0] ?? [false];
  return exists ? await readNewest(connection) : 0;
}

async function readNewest(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query<[number]>('SELECT coalesce(max(number), 0) FROM zonewright_schema');
  return rows[0]?.[0] ?? 0;
}

export function checkVersion(
  version: number,
  address: PostgresAddress,
  { length: newest }: readonly Migration[] = migrations,
): number {
  if (version <= newest) return version;
  throw new StoreOpenError(
    `${formatPostgresAddress(address)} has tables of version ${version}, this program knows versions up to ${newest}: start the newer program`,
  );
}

/**
 * Exists while `zonewright move` or `restore` fills the database, and after that was interrupted. Older versions of the
 * program check for this name, so it must not change.
 */
export const HALF_FILLED_TABLE = 'zonewright_transfer';

/** @throws StoreOpenError if the store is being filled or is incomplete */
export async function refuseHalfFilled(
  connection: PostgresConnection,
  address: PostgresAddress,
): Promise<void> {
  const { rows } = await connection.query<[boolean]>(
    `SELECT to_regclass('${HALF_FILLED_TABLE}') IS NOT NULL`,
  );
  if (!rows[0][0]) return;
  throw new StoreOpenError(
    `the store in ${formatPostgresAddress(address)} is not complete: repeat the interrupted move or restore, or drop the table ${HALF_FILLED_TABLE} to start without it`,
  );
}
