#!/usr/bin/env node
import { addClientCommands } from '../cli/client-commands.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgram, runCommandLine } from '../cli/run-command-line.ts';
import { processTerminal } from '../cli/terminal.ts';
import { addServerCommands } from './server-commands.ts';

/** The `zonewright` programme: the server and its configuration here, all else over HTTP in `cli`. */
const terminal = processTerminal();
const program = createProgram(terminal, 'DNS hosting that anyone can run');
addServerCommands(program, terminal);
addClientCommands(program, terminal);

// A reader that stops early (`| head`) ends a command, but never the server.
const isServer = process.argv[2] === 'serve';
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => {
  if (!isServer) process.exit(exitCodes.done);
});

process.exitCode = await runCommandLine(program, process.argv.slice(2), terminal);
// A server that could not start, or has stopped, must not be held up by a thread that is still winding down.
if (isServer) process.exit();
