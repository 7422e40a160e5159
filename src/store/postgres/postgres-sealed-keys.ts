import {
  exchangeRows,
  factorsQuery,
  sealedKeysQuery,
  toStoredZoneKey,
  type ExchangeFactors,
  type FactorsRow,
  type ResealedKey,
  type SealedKeys,
  type StoredZoneKeyRow,
} from '../sealed-keys.ts';
import { LOCK_FEED } from './batch-transaction.ts';
import { checkStore } from './check-store.ts';
import { migrations } from './migrations/migrations.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { connectPostgres, type PostgresConnection, type SessionLimits } from './postgres-connection.ts';
import { toStoreError } from './postgres-errors.ts';

/** For a few hundred rows. */
const limits: SessionLimits = { statementMs: 10_000, lockMs: 5000, idleInTransactionMs: 2000 };

const FIND = sealedKeysQuery(['$1', '$2::bigint', '$3', '$4']);

const REPLACE = `
  UPDATE zone_keys SET sealed = new.sealed, secret_id = new.secret_id
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[])
    AS new (domain_id, id, former_id, secret_id, sealed)
  WHERE zone_keys.domain_id = new.domain_id AND zone_keys.id = new.id AND zone_keys.secret_id = new.former_id`;

const FIND_FACTORS = factorsQuery(['$1', '$2']);

const REPLACE_FACTORS = `
  UPDATE users SET factors = new.factors FROM unnest($1::text[], $2::text[]) AS new (id, factors)
  WHERE users.id = new.id`;

/** @throws StoreOpenError with one sentence; StoreUnavailable */
export async function openPostgresSealedKeys(address: PostgresAddress): Promise<SealedKeys> {
  const connection = await connectPostgres(address, limits);
  const answer = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error);
    }
  };
  try {
    await answer(() => checkStore(connection, address, migrations.length));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    find: (secretId, limit, after) =>
      answer(async () => {
        const values = [secretId, after?.domainId ?? 0, after?.key.id ?? '', limit];
        const { rows } = await connection.query<StoredZoneKeyRow>(FIND, values);
        return rows.map(toStoredZoneKey);
      }),
    replace: (keys) =>
      answer(async () => {
        await connection.query(REPLACE, columnsOf(keys));
      }),
    exchangeFactors: (after, limit, exchange) =>
      answer(() => exchangeFactors(connection, after, limit, exchange)),
    close: () => connection.close(),
  };
}

/** Under the lock of the feed: a batch that has read a row writes all of it. A lost connection rolls back. */
async function exchangeFactors(
  connection: PostgresConnection,
  after: string,
  limit: number,
  exchange: ExchangeFactors,
): Promise<string | undefined> {
  await connection.pipeline([{ text: 'BEGIN' }, { text: LOCK_FEED }]);
  try {
    const { rows } = await connection.query<FactorsRow>(FIND_FACTORS, [after, limit]);
    const exchanged = exchangeRows(rows, exchange);
    if (exchanged.length > 0) {
      const columns = [exchanged.map(([id]) => id), exchanged.map(([, factors]) => factors)];
      await connection.query(REPLACE_FACTORS, columns);
    }
    await connection.query('COMMIT');
    return rows.at(-1)?.[0];
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function columnsOf(keys: readonly ResealedKey[]) {
  return [
    keys.map(({ domainId }) => domainId),
    keys.map(({ id }) => id),
    keys.map(({ formerSecretId }) => formerSecretId),
    keys.map(({ secretId }) => secretId),
    keys.map(({ sealed }) => sealed),
  ];
}
