import { addClientCommands } from '../cli/client-commands.ts';
import type { Command } from '../cli/command-line/command.ts';
import { createProgram } from '../cli/run-command-line.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { packageVersion } from './package-version.ts';
import { addRecoverKeyCommand } from './recover-key-command.ts';
import { addServerCommands } from './server-commands.ts';
import { addStoreCommands } from './store-commands.ts';

/** The whole `zonewright` programme: the server and its configuration here, all else over HTTP in `cli`. */
export function createZonewrightProgram(terminal: Terminal): Command {
  const program = createProgram(terminal, 'DNS hosting that anyone can run');
  program.version(packageVersion(), '--version');
  addServerCommands(program, terminal);
  addStoreCommands(program, terminal);
  addRecoverKeyCommand(program, terminal);
  addClientCommands(program, terminal);
  return program;
}
