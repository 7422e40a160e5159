import { StoreOpenError } from '../store.ts';
import type { PostgresAddress } from './postgres-address.ts';
import {
  connectPostgres,
  transactionPooling,
  type PostgresConnection,
  type SessionLimits,
} from './postgres-connection.ts';

/** A pooler by session that has no room for a second connection keeps it waiting. */
const SECOND_CONNECTION_MS = 2_000;

const limits: SessionLimits = {
  statementMs: SECOND_CONNECTION_MS,
  lockMs: 1_000,
  idleInTransactionMs: 2_000,
};

/**
 * Refuses a pooler that hands out its server sessions by transaction or statement: settings, prepared statements and LISTEN
 * would end up in sessions of others. A pooler by session passes. Costs nothing without a pooler.
 *
 * @throws StoreOpenError
 */
export async function refuseTransactionPooling(
  connection: PostgresConnection,
  address: PostgresAddress,
): Promise<void> {
  if (!connection.isPooled) return;
  let second: PostgresConnection;
  try {
    second = await connectPostgres({ ...address, connectTimeoutMs: SECOND_CONNECTION_MS }, limits);
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    // By transaction, the idle first connection would have left its session to the second.
    return;
  }
  // Pooling by statement knows no transactions.
  const refuse = (): never => {
    throw transactionPooling(address);
  };
  try {
    const ask = (one: PostgresConnection, begin: string[]) => async (): Promise<number> => {
      for (const statement of begin) await one.query(statement).catch(refuse);
      return (await one.query<[number]>('SELECT pg_backend_pid()')).rows[0][0];
    };
    const byTransaction = await isPooledByTransaction(ask(connection, []), ask(second, ['BEGIN']));
    if (byTransaction) throw transactionPooling(address);
  } finally {
    second.destroy();
  }
}

/**
 * By transaction, a connection leaves its session after each answer, so the second gets the one that the first has just
 * used, or the first gets another while the second keeps it. By session, both keep their own.
 *
 * @param askFirst asks the first connection for the process of the server that answers, outside a transaction
 * @param askSecond begins a transaction on the second connection, and asks inside it
 */
export async function isPooledByTransaction(
  askFirst: () => Promise<number>,
  askSecond: () => Promise<number>,
): Promise<boolean> {
  const first = await askFirst();
  if ((await askSecond()) === first) return true;
  return (await askFirst()) !== first;
}
