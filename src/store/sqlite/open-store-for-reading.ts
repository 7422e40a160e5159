import { StoreOpenError } from '../store.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { APPLICATION_ID } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { withSentence } from './open-store-files.ts';
import { openDatabase, prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/**
 * Opens a read-only connection that sees the store as it is now, until `closeSnapshot()`.
 *
 * @param oldestVersion oldest version of the tables that the caller can read
 * @throws StoreOpenError if the file is damaged, belongs to another program or has an unsuitable version
 */
export function openStoreForReading(path: string, oldestVersion: number): SqliteDatabase {
  return withSentence(path, () => {
    const database = openDatabase(path, { readOnly: true });
    try {
      database.exec('BEGIN');
      checkVersion(database, path, oldestVersion);
      return database;
    } catch (error) {
      closeSnapshot(database);
      throw error;
    }
  });
}

function checkVersion(database: SqliteDatabase, path: string, oldestVersion: number): void {
  const pragma = (name: string): number => prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
  if (pragma('application_id') !== APPLICATION_ID) {
    throw new StoreOpenError(`${path} is not a Zonewright store`);
  }
  const version = pragma('user_version');
  if (version > migrations.length) {
    throw new StoreOpenError(
      `${path} is a store of version ${version}, this program knows versions up to ${migrations.length}: use the newer program`,
    );
  }
  if (version < oldestVersion) {
    throw new StoreOpenError(
      `${path} is a store of version ${version}, too old for this program: start its service with this program once`,
    );
  }
}
