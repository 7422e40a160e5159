import { StoreOpenError } from '../store.ts';
import { checkVersion, readVersion, refuseHalfFilled } from './migrate.ts';
import { formatPostgresAddress, type PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/**
 * Checks that the database holds a complete store that the caller can read. Changes nothing.
 *
 * @param oldestVersion oldest version of the tables that the caller can read
 * @throws StoreOpenError if there is no store, it is incomplete or has an unsuitable version
 */
export async function checkStore(
  connection: PostgresConnection,
  address: PostgresAddress,
  oldestVersion: number,
): Promise<void> {
  await refuseHalfFilled(connection, address);
  const version = checkVersion(await readVersion(connection), address);
  const place = formatPostgresAddress(address);
  if (version === 0) throw new StoreOpenError(`there is no store in ${place}`);
  if (version < oldestVersion) {
    throw new StoreOpenError(
      `${place} has tables of version ${version}, too old for this program: start its service with this program once`,
    );
  }
}
