import type { DryRunOption } from '../../client/write-options.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection.ts';

export type UserOptions = ConnectionOptions & DryRunOption & { readonly account?: string };

/** Options of commands about the users of an account. */
export function addAccountOption(command: Command): Command {
  return withAccount(addConnectionOptions(command));
}

export function withAccount(command: Command): Command {
  return command.option('--account <id>', 'another account (default: your own); needs an administrative key');
}
