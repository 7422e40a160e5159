// The names of the files that hold the rows of prepared writes (`stageRows`), beside the store's file.
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const STAGED_SUFFIX = '.staged-';

/** @param number distinguishes the preparing threads */
export function stagedPath(storePath: string, number: number): string {
  return `${storePath}${STAGED_SUFFIX}${number}`;
}

/** Removes the files that a killed process left beside the store. */
export function removeStagedFiles(storePath: string): void {
  const folder = dirname(storePath);
  const start = `${basename(storePath)}${STAGED_SUFFIX}`;
  for (const name of readdirSync(folder)) if (name.startsWith(start)) removeStagedFile(join(folder, name));
}

export function removeStagedFile(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}-journal`, { force: true });
}
