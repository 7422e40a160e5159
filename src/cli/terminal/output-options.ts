import type { Command } from '../command-line/command.ts';

/** Output format of a result. The default is a table on a terminal and tab-separated lines otherwise. */
export interface OutputOptions {
  readonly json?: boolean | undefined;
  /** Tab-separated lines without a header, also on a terminal. */
  readonly plain?: boolean | undefined;
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--plain', 'print tab-separated lines without a header');
}
