// The zone copy's file: made, recognised, thrown away. It is a cache of the database, so what cannot be used is never
// repaired and never an error: it is made anew.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import { makeFile, withSentence } from '../store/sqlite/open-store-files.ts';
import { openDatabase, prepareQuery, sqliteErrorCode, type SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { CopyWriter } from './copy-writer.ts';
import { copyTables } from './copy-tables.ts';

/** "ZNWC": tells the file apart from other SQLite databases (https://sqlite.org/fileformat2.html, offset 68). */
const APPLICATION_ID = 0x5a4e5743;

/** Raised with every change of the tables: a copy of another version is thrown away. */
export const COPY_VERSION = 1;

export interface CopyFile {
  readonly path: string;
  /** Of the process that keeps it, for life, unless another turns out to go by it. */
  readonly id: string;
}

/**
 * Makes sure that the folder, which this process has locked, holds a copy that can be used, if an empty one.
 *
 * @throws StoreOpenError with one sentence for the operator: not writable, disk full
 */
export function openCopyFile(folder: string, log: Log): CopyFile {
  const path = join(folder, 'zone-copy.db');
  return withSentence(path, () => {
    const fault = existsSync(damageMark(path)) ? 'it was found damaged' : findFault(path);
    if (fault !== undefined) {
      log.warn({ path, fault }, 'the zone copy cannot be used and is made anew');
      removeCopy(path);
    }
    makeFile(path);
    return { path, id: prepareTables(path) };
  });
}

/** Whoever meets damage while the copy is in use says so here: at the next start it is made anew. */
export function markDamaged(path: string): void {
  makeFile(damageMark(path));
}

/** Whether an error says that the file itself is damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
export function isDamage(error: unknown): boolean {
  const code = sqliteErrorCode(error);
  return code === 11 || code === 26;
}

/** SQLITE_ERROR is a table or column that is missing, SQLITE_FORMAT an old file format. */
const FAULT_CODES: readonly (number | undefined)[] = [1, 11, 24, 26];

function findFault(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const database = openDatabase(path);
  try {
    // The process ended before it made the tables.
    if (pragma(database, 'schema_version') === 0) return undefined;
    if (pragma(database, 'application_id') !== APPLICATION_ID) return 'it is a database of another program';
    const version = pragma(database, 'user_version');
    if (version !== COPY_VERSION) return `it is of version ${version}, this program has ${COPY_VERSION}`;
    if (readId(database) === undefined) return 'it has no id';
    new CopyWriter(path).close();
    return undefined;
  } catch (error) {
    if (FAULT_CODES.includes(sqliteErrorCode(error))) return String(error);
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

/** @returns the id */
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
  database.exec(`BEGIN; ${copyTables}`);
  database.prepare('INSERT INTO copy (one, id) VALUES (1, ?)').run(crypto.randomUUID());
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${COPY_VERSION}; COMMIT`);
}

function readId(database: SqliteDatabase): string | undefined {
  return prepareQuery<[id: string]>(database, 'SELECT id FROM copy').get()?.[0];
}

function pragma(database: SqliteDatabase, name: string): number {
  return prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
}
