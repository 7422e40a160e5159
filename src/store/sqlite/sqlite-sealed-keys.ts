import { existsSync } from 'node:fs';
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
import { StoreOpenError } from '../store.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { inTransaction } from './in-transaction.ts';
import { migrations } from './migrations/migrations.ts';
import { openStoreForReading } from './open-store-for-reading.ts';
import { refusePart, storePath, withSentence } from './open-store-files.ts';
import { bindable, openDatabase, prepareQuery } from './sqlite-driver.ts';

/** @throws StoreOpenError with one sentence */
export function openSqliteSealedKeys(folder: string): SealedKeys {
  const path = storePath(folder);
  refusePart(folder);
  if (!existsSync(path)) throw new StoreOpenError(`there is no store in ${folder}`);
  closeSnapshot(openStoreForReading(path, migrations.length));
  const database = withSentence(path, () => openDatabase(path));
  const find = prepareQuery<StoredZoneKeyRow>(database, sealedKeysQuery(['?1', '?2', '?3', '?4']));
  const replace = database.prepare(
    'UPDATE zone_keys SET sealed = ?, secret_id = ? WHERE domain_id = ? AND id = ? AND secret_id = ?',
  );
  const replaceAll = (keys: readonly ResealedKey[]): void => {
    for (const { domainId, id, formerSecretId, secretId, sealed } of keys) {
      replace.run(bindable(sealed), secretId, domainId, id, formerSecretId);
    }
  };
  const findFactors = prepareQuery<FactorsRow>(database, factorsQuery(['?1', '?2']));
  const replaceFactors = database.prepare('UPDATE users SET factors = ?2 WHERE id = ?1');
  const exchangeFactors = (after: string, limit: number, exchange: ExchangeFactors): string | undefined => {
    const rows = findFactors.all(after, limit);
    for (const [id, factors] of exchangeRows(rows, exchange)) replaceFactors.run(id, factors);
    return rows.at(-1)?.[0];
  };
  const answer = <T>(work: () => T): Promise<T> =>
    new Promise((resolve) => resolve(withSentence(path, work)));
  return {
    find: (secretId, limit, after) =>
      answer(() => find.all(secretId, after?.domainId ?? 0, after?.key.id ?? '', limit).map(toStoredZoneKey)),
    replace: (keys) => answer(() => inTransaction(database, () => replaceAll(keys))),
    exchangeFactors: (after, limit, exchange) =>
      answer(() => inTransaction(database, () => exchangeFactors(after, limit, exchange))),
    close: () => answer(() => database.close()),
  };
}
