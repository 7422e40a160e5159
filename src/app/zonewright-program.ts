import { addCommands, type CommandTable } from '../cli/add-commands.ts';
import { clientCommands } from '../cli/client-commands.ts';
import type { Command } from '../cli/command-line/command.ts';
import { createProgram } from '../cli/run-command-line.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { packageVersion } from './package-version.ts';

/** Commands that run the server or open its store. All others are clients of the HTTP interface. */
const serverCommands: CommandTable = {
  serve: {
    description: 'run the server: HTTP interface, nameserver and store',
    load: async () => (await import('./server-commands.ts')).declareServe,
  },
  config: {
    description: 'print the configuration and the source of each value',
    load: async () => (await import('./server-commands.ts')).declareConfig,
  },
  backup: {
    description: 'write the whole store to a new file; the service may be running',
    load: async () => (await import('./store-commands.ts')).declareBackup,
  },
  restore: {
    description: 'restore a backup into an empty store',
    load: async () => (await import('./store-commands.ts')).declareRestore,
  },
  move: {
    description: 'copy a store to another place or engine and check that both are equal; safe to repeat',
    load: async () => (await import('./store-commands.ts')).declareMove,
  },
  'recover-key': {
    description: 'create an administrative API key directly in the store, even while the service is running',
    load: async () => (await import('./recover-key-command.ts')).declareRecoverKey,
  },
  'recover-user': {
    description: 'create a link with which a user gets back in, or a new owner joins, directly in the store',
    load: async () => (await import('./recover-user-command.ts')).declareRecoverUser,
  },
  dnssec: {
    description: 'exchange the secret that encrypts the DNSSEC keys of domains',
    load: async () => (await import('./dnssec-command.ts')).declareDnssec,
  },
};

/** The whole `zonewright` program. */
export function createZonewrightProgram(terminal: Terminal): Command {
  const program = createProgram(terminal, 'DNS hosting that anyone can run');
  program.version(packageVersion(), '--version');
  addCommands(program, terminal, { ...serverCommands, ...clientCommands });
  return program;
}
