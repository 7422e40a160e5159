import type { Command } from '../command-line/command.ts';

/** How a command's result is printed: as a table for a person unless one of these says otherwise. */
export interface OutputOptions {
  readonly json?: boolean | undefined;
  /** Tab-separated lines without a head; also what a programme gets that reads a list. */
  readonly plain?: boolean | undefined;
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--plain', 'print tab-separated lines without a head, also on a terminal');
}
