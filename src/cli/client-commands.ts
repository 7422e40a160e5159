import type { Command } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addCopyCommand } from './copy-command.ts';
import { addDomainCommands } from './domain-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addRecordCommands } from './record-commands.ts';
import type { Terminal } from './terminal.ts';
import { addVerifyCommand } from './verify-command.ts';

/**
 * The commands that talk to a running server over HTTP. They know nothing that the interface does not say, and never
 * touch the store.
 */
export function addClientCommands(program: Command, terminal: Terminal): void {
  addDomainCommands(program, terminal);
  addRecordCommands(program, terminal);
  addKeyCommands(program, terminal);
  addAccountCommands(program, terminal);
  addCopyCommand(program, terminal);
  addVerifyCommand(program, terminal);
}
