import { readFile } from 'node:fs/promises';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The text of a file, or of stdin for `-`. @throws CommandFailure when it cannot be read */
export async function readInputFile(path: string, terminal: Terminal): Promise<string> {
  if (path === '-' && terminal.readInput !== undefined) return terminal.readInput();
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

export function unreadableFile(path: string, error: unknown): CommandFailure {
  const reason = String((error as NodeJS.ErrnoException).code);
  return new CommandFailure(exitCodes.usage, `${path} cannot be read (${reason})`);
}
