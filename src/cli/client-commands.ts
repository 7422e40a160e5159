import { addAccountCommands } from './account/account-commands.ts';
import type { Command } from './command-line/command.ts';
import { addCompletionCommands } from './completion/completion-commands.ts';
import { addCopyCommand } from './copy/copy-command.ts';
import { addCheckCommand } from './check/check-command.ts';
import { addDomainCommands } from './domain/domain-commands.ts';
import { addHistoryCommands } from './history/history-commands.ts';
import { addKeyCommands } from './key/key-commands.ts';
import { addProfileCommands } from './profile/profile-commands.ts';
import { addRecordCommands } from './record/record-commands.ts';
import type { Terminal } from './terminal/terminal.ts';
import { addVerifyCommand } from './verify/verify-command.ts';
import { addZoneFileCommands } from './zone-file/zone-file-commands.ts';

/**
 * The commands that talk to a running server over HTTP. They know nothing that the interface does not say, and never
 * touch the store.
 */
export function addClientCommands(program: Command, terminal: Terminal): void {
  addDomainCommands(program, terminal);
  addRecordCommands(program, terminal);
  addZoneFileCommands(program, terminal);
  addCopyCommand(program, terminal);
  addVerifyCommand(program, terminal);
  addCheckCommand(program, terminal);
  addHistoryCommands(program, terminal);
  addKeyCommands(program, terminal);
  addAccountCommands(program, terminal);
  addProfileCommands(program, terminal);
  addCompletionCommands(program, terminal);
}
