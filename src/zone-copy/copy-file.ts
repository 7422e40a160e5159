// Creates and checks the file of the zone copy, and replaces it by one that was made again. The file is a cache of the database,
// but zones are served from it while the database is away: it is never thrown away as long as anything can be read from it.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import { makeFile, withSentence } from '../store/sqlite/open-store-files.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import {
  openDatabase,
  prepareQuery,
  sqliteErrorCode,
  type SqliteDatabase,
} from '../store/sqlite/sqlite-driver.ts';
import { checkId, keepId, readKeptId } from './copy-id.ts';
import { CopyWriter } from './copy-writer.ts';
import { isSealed, sealPath } from './copy-seal.ts';
import { COPY_TABLES, COPY_VERSION, copyUpgrades } from './copy-tables.ts';
import { copyTables } from './hashed-tables.ts';

/** "ZNWC": identifies the file among SQLite databases (https://sqlite.org/fileformat2.html, offset 68). */
const APPLICATION_ID = 0x5a4e5743;

export interface CopyFile {
  readonly path: string;
  /** Id of the process that keeps the copy; permanent, unless another process turns out to use it. */
  readonly id: string;
  /** It is the file that was closed in order; otherwise nothing of it counts before it has been checked. */
  readonly isProven: boolean;
  /** Zones can be read from it, but it cannot be written: it has to be made again. */
  readonly isBroken: boolean;
}

/**
 * Makes sure that the folder, which this process has locked, holds a copy. A damaged one is kept as long as zones can be read
 * from it; one from which nothing can be read is put aside, and the new one is empty.
 *
 * @throws StoreOpenError with one sentence for the operator if the folder is not writable or the disk is full
 */
export function openCopyFile(folder: string, log: Log): CopyFile {
  const path = join(folder, COPY_NAME);
  return withSentence(path, () => {
    removeFile(remadePath(path));
    const isProven = isSealed(path);
    const fault = findFault(path);
    if (fault?.isReadable === true) {
      log.error(
        { path, fault: fault.what },
        'the zone copy is damaged; it is served until it has been made again',
      );
      return { path, id: makeId(path, undefined), isProven: false, isBroken: true };
    }
    if (fault !== undefined) {
      log.error({ path, fault: fault.what }, 'nothing can be read from the zone copy; it is put aside');
      putAside(path);
    }
    const id = makeId(path, createCopy(path));
    return { path, id, isProven: isProven && fault === undefined, isBroken: false };
  });
}

/** Returns the id that is kept beside the copy, or keeps the one of the copy, or a new one. */
function makeId(path: string, idOfCopy: string | undefined): string {
  const kept = readKeptId(path);
  if (kept !== undefined) return kept;
  const id = idOfCopy ?? crypto.randomUUID();
  keepId(path, id);
  return id;
}

/** Creates the file with its tables unless they exist; returns the id of the process. */
export function createCopy(path: string): string {
  makeFile(path);
  return prepareTables(path);
}

/** The file in which a copy is made again while the damaged one is served. */
export function remadePath(path: string): string {
  return `${path}-remade`;
}

/** Gives the remade copy the name of the damaged one. No connection may be open on either. */
export function takeRemade(path: string): void {
  removeLogs(path);
  renameSync(remadePath(path), path);
  removeLogs(remadePath(path));
}

/** Returns true if the error means that the file is damaged (SQLITE_CORRUPT, SQLITE_NOTADB) or gone (SQLITE_CANTOPEN). */
export function isDamage(error: unknown): boolean {
  if (error instanceof CopyBroken) return true;
  const code = sqliteErrorCode(error);
  return code === 11 || code === 14 || code === 26;
}

/** The copy cannot be read, for whichever reason: it has to be made again. */
export class CopyBroken extends Error {
  override readonly name = 'CopyBroken';
}

const COPY_NAME = 'zone-copy.db';

/** SQLITE_ERROR means a missing table or column, SQLITE_FORMAT an old file format. */
const faultCodes: readonly (number | undefined)[] = [1, 11, 24, 26];

interface Fault {
  readonly what: string;
  /** Zones can still be looked up. */
  readonly isReadable: boolean;
}

function findFault(path: string): Fault | undefined {
  if (!existsSync(path)) return undefined;
  const what = describeFault(path);
  return what === undefined ? undefined : { what, isReadable: isReadable(path) };
}

function describeFault(path: string): string | undefined {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path);
    // The process ended before it created the tables.
    if (pragma(database, 'schema_version') === 0) return undefined;
    if (pragma(database, 'application_id') !== APPLICATION_ID) return 'it is a database of another program';
    const version = pragma(database, 'user_version');
    if (!upgrade(database, version)) return `it is of version ${version}, this program has ${COPY_VERSION}`;
    if (readId(database) === undefined) return 'it has no id';
    new CopyWriter(path).close();
    return undefined;
  } catch (error) {
    if (faultCodes.includes(sqliteErrorCode(error))) return String(error);
    throw error;
  } finally {
    database?.close();
  }
}

function isReadable(path: string): boolean {
  let zones: SqliteZones | undefined;
  try {
    zones = new SqliteZones(path, copyTables);
    return zones.storedNames('', 1).length > 0;
  } catch {
    return false;
  } finally {
    zones?.close();
  }
}

/** Returns false if a copy of that version cannot be brought up to date. */
function upgrade(database: SqliteDatabase, version: number): boolean {
  let reached = version;
  while (reached !== COPY_VERSION) {
    const statements = copyUpgrades.get(reached);
    if (statements === undefined) return false;
    reached++;
    database.exec(`BEGIN; ${statements}; PRAGMA user_version = ${reached}; COMMIT`);
  }
  return true;
}

/** Keeps one unusable file, in which an operator may find out what happened. */
function putAside(path: string): void {
  removeLogs(path);
  rmSync(sealPath(path), { force: true });
  renameSync(path, `${path}-unusable`);
}

function removeFile(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
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

/** Returns undefined if there is none, or it was damaged. */
function readId(database: SqliteDatabase): string | undefined {
  return checkId(prepareQuery<[id: string]>(database, 'SELECT id FROM copy').get()?.[0]);
}

function pragma(database: SqliteDatabase, name: string): number {
  return prepareQuery<[number]>(database, `PRAGMA ${name}`).get()?.[0] ?? 0;
}
