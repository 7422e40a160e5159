import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreOpenError } from '../store.ts';
import { emptyLog } from './empty-log.ts';
import { migrate } from './migrate.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';
import { removeStagedFiles } from './staged-files.ts';
import { lockStore, type StoreLock } from './store-lock.ts';

export interface StoreFiles {
  readonly path: string;
  readonly lock: StoreLock;
}

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** https://sqlite.org/rescode.html */
const sentences: Readonly<Record<number, string>> = {
  8: 'cannot be written',
  10: 'cannot be read or written: the disk reports an error',
  11: 'is damaged: restore it from a backup',
  13: 'cannot be opened: the disk is full',
  14: 'cannot be opened',
  26: 'is damaged or not a Zonewright store: restore it from a backup',
};

/**
 * Creates the folder and its files (accessible to their owner only), locks them for this process and brings the tables up
 * to date.
 *
 * @throws StoreOpenError with one sentence for the operator
 */
export function openStoreFiles(folder: string, nowMs: number): StoreFiles {
  const path = storePath(folder);
  const lock = lockFolder(folder);
  try {
    refusePart(folder);
    removeStagedFiles(path);
    makeFile(path);
    withSentence(path, () => prepareTables(path, nowMs));
  } catch (error) {
    lock.release();
    throw error;
  }
  return { path, lock };
}

export function storePath(folder: string): string {
  return join(folder, 'zonewright.db');
}

/** Path of the file while it is incomplete (`zonewright move` and `restore`). */
export function partPath(path: string): string {
  return `${path}.part`;
}

/** @throws StoreOpenError if a move or restore into the folder is in progress or was interrupted */
export function refusePart(folder: string): void {
  const part = partPath(storePath(folder));
  if (!existsSync(part)) return;
  throw new StoreOpenError(
    `the store in ${folder} is not complete: repeat the interrupted move or restore, or remove ${part} to start without it`,
  );
}

/** Creates the folder if it does not exist and locks it for this process. */
export function lockFolder(folder: string): StoreLock {
  const path = join(folder, 'lock.db');
  makeFolder(folder);
  makeFile(path);
  return withSentence(path, () => lockStore(path, folder));
}

function prepareTables(path: string, nowMs: number): void {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    migrate(database, path, nowMs);
    database.prepare('SELECT * FROM counters').get();
    // Move everything that a killed process left in the log into the file.
    emptyLog(database);
  } finally {
    database.close();
  }
}

/** @throws StoreOpenError with one sentence */
export function makeFolder(folder: string): void {
  try {
    makePath(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreOpenError(`the data folder ${folder} cannot be written: ${systemReason(error)}`);
  }
}

/** Creates parents one by one: Node's `recursive` never ends if the system reports ENOENT in an existing folder (`/proc`). */
function makePath(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makePath(parent);
  mkdirSync(folder, FOLDER_MODE);
}

/**
 * Creates a file with the mode that SQLite also gives to its side files. An existing file is never opened here, because
 * closing it would release the locks that this process holds on it (POSIX).
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return;
    throw new StoreOpenError(`${path} cannot be written: ${systemReason(error)}`);
  }
}

export function withSentence<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = sqliteErrorCode(error);
    if (code === undefined) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw new StoreOpenError(`${path} ${sentences[code] ?? `cannot be opened: ${reason}`}`, {
      cause: error,
    });
  }
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be created there',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
};

export function systemReason(error: unknown): string {
  const known = Object.entries(systemReasons).find(([code]) => isSystemError(error, code));
  return known?.[1] ?? (error instanceof Error ? error.message : String(error));
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
