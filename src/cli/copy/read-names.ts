import { readFileSync } from 'node:fs';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';

/** The words of a file, one a line; empty lines and what follows a # are nothing. @throws CommandFailure */
export function readNames(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== '');
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new CommandFailure(exitCodes.usage, `${path} cannot be read (${reason})`);
  }
}
