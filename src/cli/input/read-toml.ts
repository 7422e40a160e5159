import { readFileSync } from 'node:fs';
import { parse, TomlError, type TomlTable } from 'smol-toml';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf, unreadable } from '../failures/file-failures.ts';

/** Returns undefined if there is no such file. @throws CommandFailure if it cannot be read or is invalid */
export function readToml(path: string): TomlTable | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof TomlError) {
      const place = `line ${error.line}, column ${error.column}`;
      throw new CommandFailure(exitCodes.usage, `${path} is not valid TOML at ${place}`);
    }
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}
