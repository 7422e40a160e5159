// Backup files: the SQLite file of a store with one more table.
import { existsSync } from 'node:fs';
import { MigrationError, type MigrationSource, type MigrationTarget } from './store-content.ts';
import { prepareQuery, type SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { StoreFileWriter } from './store-file-writer.ts';
import { withSentence } from '../store/sqlite/open-store-files.ts';
import { closeSnapshot } from '../store/sqlite/close-snapshot.ts';
import { openStoreForReading } from '../store/sqlite/open-store-for-reading.ts';
import { OLDEST_READABLE_VERSION, readTables } from './sqlite-source.ts';
import { FileTarget } from './sqlite-target.ts';

/** Holds the time of the backup, and the hash that detects later changes to the file. */
const BACKUP_TABLE = `
  CREATE TABLE backup (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    taken_at  INTEGER NOT NULL, -- milliseconds
    hash      TEXT NOT NULL -- of the content, as printed by zonewright move and restore
  ) STRICT`;

/** Opens a target that writes a new backup file. */
export function openBackupTarget(path: string, takenAtMs: number): MigrationTarget {
  const refuseExisting = (): void => {
    if (existsSync(path)) throw new MigrationError(`${path} already exists and is not overwritten`);
  };
  refuseExisting();
  return new FileTarget({
    place: path,
    existing: null,
    create: () => new StoreFileWriter(path, takenAtMs),
    beforeCommit: (file, { hash }) => {
      refuseExisting();
      file.run(BACKUP_TABLE);
      file.run('INSERT INTO backup VALUES (1, ?, ?)', takenAtMs, hash);
    },
  });
}

export interface OpenBackup extends MigrationSource {
  readonly takenAtMs: number;
  /** The expected hash of the content. */
  readonly hash: string;
}

/** @throws StoreOpenError if the file cannot be read or is no store, MigrationError if it is no backup */
export function openBackup(path: string): OpenBackup {
  if (!existsSync(path)) throw new MigrationError(`there is no file ${path}`);
  const database = openStoreForReading(path, OLDEST_READABLE_VERSION);
  try {
    const [takenAtMs, hash] = withSentence(path, () => readBackupRow(database, path));
    return {
      place: path,
      takenAtMs,
      hash,
      ...readTables(database, path),
      close: () => closeSnapshot(database),
    };
  } catch (error) {
    closeSnapshot(database);
    throw error;
  }
}

function readBackupRow(database: SqliteDatabase, path: string): readonly [takenAtMs: number, hash: string] {
  const tables = prepareQuery(
    database,
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'",
  );
  const row =
    tables.get() === undefined
      ? undefined
      : prepareQuery<[number, string]>(database, 'SELECT taken_at, hash FROM backup').get();
  if (row !== undefined) return row;
  throw new MigrationError(
    `${path} is the file of a store, not a backup: use zonewright move to copy a store, zonewright backup to back one up`,
  );
}
