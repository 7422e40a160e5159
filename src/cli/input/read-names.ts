import { readFileSync } from 'node:fs';
import { unreadable } from '../failures/file-failures.ts';

/**
 * Reads one name per line; skips empty lines and everything after a #. @throws CommandFailure if the file cannot be
 * read
 */
export function readNames(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== '');
  } catch (error) {
    throw unreadable(path, error);
  }
}
