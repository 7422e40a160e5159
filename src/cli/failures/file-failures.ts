import { readFileSync } from 'node:fs';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';

export function unreadable(path: string, error: unknown): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${path} cannot be read (${codeOf(error)})`, { cause: error });
}

export function unwritable(path: string, error: unknown): CommandFailure {
  return new CommandFailure(exitCodes.failed, `${path} cannot be written (${codeOf(error)})`, {
    cause: error,
  });
}

/** @throws CommandFailure if the file cannot be read */
export function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const sentence = `the key file ${path} cannot be read (${codeOf(error)})`;
    throw new CommandFailure(exitCodes.authentication, sentence, { cause: error });
  }
}

/** The error code of the operating system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
