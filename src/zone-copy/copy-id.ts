// The id of the process that keeps a copy, in a small file beside it: so a process whose copy was deleted, or is damaged, is
// still known as the same nameserver, and what it reported before counts no longer. The copy holds the id as well.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { FILE_MODE } from '../store/sqlite/open-store-files.ts';

/** The database refuses reports under any other id. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns undefined if there is none, or it is damaged. */
export function readKeptId(path: string): string | undefined {
  try {
    return checkId(readFileSync(idPath(path), 'utf8').trim());
  } catch {
    return undefined;
  }
}

/** Does nothing if the disk is full: the copy holds the id as well. */
export function keepId(path: string, id: string): void {
  const unfinished = `${idPath(path)}.part`;
  try {
    writeFileSync(unfinished, `${id}\n`, { mode: FILE_MODE });
    renameSync(unfinished, idPath(path));
  } catch {
    // Another attempt follows at the next start.
  }
}

/** Returns undefined if the text is no id. */
export function checkId(text: unknown): string | undefined {
  return typeof text === 'string' && UUID.test(text) ? text : undefined;
}

function idPath(path: string): string {
  return `${path}-id`;
}
