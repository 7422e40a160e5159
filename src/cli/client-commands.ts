import { addAccountCommands } from './account-commands.ts';
import type { Command } from './command.ts';
import { addCompletionCommands } from './completion/completion-commands.ts';
import { addCopyCommand } from './copy/copy-command.ts';
import { addDomainCommands } from './domain-commands.ts';
import { addHistoryCommands } from './history-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addProfileCommands } from './profile-commands.ts';
import { addRecordCommands } from './record-commands.ts';
import type { Terminal } from './terminal.ts';
import { addVerifyCommand } from './verify/verify-command.ts';
import { addZonefileCommands } from './zonefile-commands.ts';

/**
 * The commands that talk to a running server over HTTP. They know nothing that the interface does not say, and never
 * touch the store.
 */
export function addClientCommands(program: Command, terminal: Terminal): void {
  addDomainCommands(program, terminal);
  addRecordCommands(program, terminal);
  addZonefileCommands(program, terminal);
  addCopyCommand(program, terminal);
  addVerifyCommand(program, terminal);
  addHistoryCommands(program, terminal);
  addKeyCommands(program, terminal);
  addAccountCommands(program, terminal);
  addProfileCommands(program, terminal);
  addCompletionCommands(program, terminal);
}
