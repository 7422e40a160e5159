import { readFileSync } from 'node:fs';
import { unreadable } from '../failures/file-failures.ts';

/** The words of a file, one a line; empty lines and what follows a # are nothing. @throws CommandFailure */
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
