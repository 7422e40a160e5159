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

/**
 * Returns the version of the store in the file; undefined if its tables have not been created yet.
 *
 * @throws StoreOpenError if the file is damaged, belongs to another program or is newer than this program
 */
export function findVersion(path: string): number | undefined {
  return withSentence(path, () => {
    const database = openDatabase(path, { readOnly: true });
    try {
      const isEmpty = readPragma(database, 'schema_version') === 0;
      return isEmpty ? undefined : readVersion(database, path);
    } finally {
      database.close();
    }
  });
}

function checkVersion(database: SqliteDatabase, path: string, oldestVersion: number): void {
  const version = readVersion(database, path);
  if (version < oldestVersion) {
    throw new StoreOpenError(
      `${path} is a store of version ${version}, too old for this program: start its service with this program once`,
    );
  }
}

function readVersion(database: SqliteDatabase, path: string): number {
  if (readPragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StoreOpenError(`${path} is not a Zonewright store`);
  }
  const version = readPragma(database, 'user_version');
  if (version > migrations.length) {
    throw new StoreOpenError(
      `${path} is a store of version ${version}, this program knows versions up to ${migrations.length}: use the newer program`,
    );
  }
  return version;
}

function readPragma(database: SqliteDatabase, name: string): number {
  return prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
}
