// Creates, checks and discards the file of the zone copy. The file is a cache of the database, so an unusable one is neither
// repaired nor an error: it is replaced by an empty one.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import { makeFile, withSentence } from '../store/sqlite/open-store-files.ts';
import {
  openDatabase,
  prepareQuery,
  sqliteErrorCode,
  type SqliteDatabase,
} from '../store/sqlite/sqlite-driver.ts';
import { CopyWriter } from './copy-writer.ts';
import { COPY_TABLES } from './copy-tables.ts';

/** "ZNWC": identifies the file among SQLite databases (https://sqlite.org/fileformat2.html, offset 68). */
const APPLICATION_ID = 0x5a4e5743;

/** Incremented with every change of the tables; a copy of another version is discarded. */
export const COPY_VERSION = 1;

export interface CopyFile {
  readonly path: string;
  /** Id of the process that keeps the copy; permanent, unless another process turns out to use it. */
  readonly id: string;
}

/**
 * Makes sure that the folder, which this process has locked, holds a usable copy, possibly an empty one.
 *
 * @throws StoreOpenError with one sentence for the operator if the folder is not writable or the disk is full
 */
export function openCopyFile(folder: string, log: Log): CopyFile {
  const path = join(folder, 'zone-copy.db');
  return withSentence(path, () => {
    const fault = existsSync(damageMark(path)) ? 'it was found damaged' : findFault(path);
    if (fault !== undefined) {
      log.warn({ path, fault }, 'the zone copy cannot be used and is replaced');
      removeCopy(path);
    }
    makeFile(path);
    return { path, id: prepareTables(path) };
  });
}

/** Marks a copy that was found damaged while in use, so that it is replaced at the next start. */
export function markDamaged(path: string): void {
  makeFile(damageMark(path));
}

/** Returns true if the error means that the file is damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
export function isDamage(error: unknown): boolean {
  const code = sqliteErrorCode(error);
  return code === 11 || code === 26;
}

/** SQLITE_ERROR means a missing table or column, SQLITE_FORMAT an old file format. */
const faultCodes: readonly (number | undefined)[] = [1, 11, 24, 26];

function findFault(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const database = openDatabase(path);
  try {
    // The process ended before it created the tables.
    if (pragma(database, 'schema_version') === 0) return undefined;
    if (pragma(database, 'application_id') !== APPLICATION_ID) return 'it is a database of another program';
    const version = pragma(database, 'user_version');
    if (version !== COPY_VERSION) return `it is of version ${version}, this program has ${COPY_VERSION}`;
    if (readId(database) === undefined) return 'it has no id';
    new CopyWriter(path).close();
    return undefined;
  } catch (error) {
    if (faultCodes.includes(sqliteErrorCode(error))) return String(error);
    throw error;
  } finally {
    database.close();
  }
}

function removeCopy(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, damageMark(path)]) rmSync(file, { force: true });
}

function damageMark(path: string): string {
  return `${path}-damaged`;
}

/** Returns the id. */
function prepareTables(path: string): string {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    if (pragma(database, 'schema_version') === 0) createTables(database);
    const id = readId(database);
    assert(id !== undefined, 'a copy has an id');
    return id;
  } finally {
    database.close();
  }
}

function createTables(database: SqliteDatabase): void {
  database.exec(`BEGIN; ${COPY_TABLES}`);
  database.prepare('INSERT INTO copy (one, id) VALUES (1, ?)').run(crypto.randomUUID());
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${COPY_VERSION}; COMMIT`);
}

function readId(database: SqliteDatabase): string | undefined {
  return prepareQuery<[id: string]>(database, 'SELECT id FROM copy').get()?.[0];
}

function pragma(database: SqliteDatabase, name: string): number {
  return prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
}
