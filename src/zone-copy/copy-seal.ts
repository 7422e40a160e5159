// The seal of a copy that was closed in order: a small file beside it that names its generation, and its size, time and place
// on the disk. Without a seal that fits, the file and its log may belong to different times (a restored snapshot, a copied data
// folder, a crash), and the copy has to be checked before anything of it counts.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { openDatabase, prepareQuery, type SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';

export function sealPath(path: string): string {
  return `${path}-seal`;
}

/** Seals a closed copy. Does nothing while its log holds anything, because then the file alone is not the copy. */
export function sealCopy(path: string, generation: string): void {
  if (isLogEmpty(path)) writeFileSync(sealPath(path), describe(path, generation));
}

/** Whether the seal fits. */
export function isSealed(path: string): boolean {
  if (!existsSync(path) || !existsSync(sealPath(path)) || !isLogEmpty(path)) return false;
  const seal = readFileSync(sealPath(path), 'utf8');
  const generation = readGeneration(path);
  return generation !== undefined && seal === describe(path, generation);
}

/** Returns undefined if there is none or it cannot be read. */
function readGeneration(path: string): string | undefined {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path, { readOnly: true });
    return prepareQuery<[string | null]>(database, 'SELECT generation FROM copy').get()?.[0] ?? undefined;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

/** Call it before the first write. */
export function breakSeal(path: string): void {
  rmSync(sealPath(path), { force: true });
}

function describe(path: string, generation: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return JSON.stringify({ generation, size, mtimeMs, ino });
}

function isLogEmpty(path: string): boolean {
  const log = `${path}-wal`;
  return !existsSync(log) || statSync(log).size === 0;
}
