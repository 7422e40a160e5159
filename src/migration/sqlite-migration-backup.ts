// A backup: a store's file with one table more. It can be opened by hand like any SQLite database.
import { existsSync } from 'node:fs';
import { TransferError, type OpenTransferSource, type TransferTarget } from './migration-ends.ts';
import { prepareQuery, type SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { StoreFileWriter } from './sqlite-migration-file.ts';
import { withSentence } from '../store/sqlite/open-store-files.ts';
import { closeSnapshot } from '../store/sqlite/close-snapshot.ts';
import { openStoreForReading } from '../store/sqlite/open-store-for-reading.ts';
import { OLDEST_READABLE_VERSION, readTables } from './sqlite-migration-source.ts';
import { FileTarget } from './sqlite-migration-target.ts';

/** When the backup was begun, and what tells whether the file is still what was written. */
const BACKUP_TABLE = `
  CREATE TABLE backup (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    taken_at  INTEGER NOT NULL, -- milliseconds
    hash      TEXT NOT NULL -- of the content, as zonewright move and restore print it
  ) STRICT`;

/** A backup's file, which must not be there yet. */
export function openBackupTarget(path: string, takenAtMs: number): TransferTarget {
  const refuseExisting = (): void => {
    if (existsSync(path)) throw new TransferError(`${path} is there already, and is not overwritten`);
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

export interface OpenBackup extends OpenTransferSource {
  readonly takenAtMs: number;
  /** The hash that its content must have. */
  readonly hash: string;
}

/**
 * @throws StoreOpenError when the file cannot be read or is no store, TransferError when it is no backup.
 */
export function openBackup(path: string): OpenBackup {
  if (!existsSync(path)) throw new TransferError(`there is no file ${path}`);
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
  throw new TransferError(
    `${path} is the file of a store, not a backup: zonewright move takes a store over, zonewright backup backs one up`,
  );
}
