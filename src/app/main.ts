import { exitCodes } from '../cli/failures/exit-codes.ts';
import { runCommandLine } from '../cli/run-command-line.ts';
import { processTerminal } from '../cli/terminal/terminal.ts';
import { createZonewrightProgram } from './zonewright-program.ts';

const words = process.argv.slice(2);
const isServer = words[0] === 'serve';

// A reader that stops early (`| head`) ends a command, but never the server. Where a command's output is lost otherwise,
// as on a full disk, half a zone must not pass for the whole.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  if (isServer) return;
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`zonewright: the output cannot be written (${code})\n`);
  process.exit(exitCodes.failed);
});

const terminal = processTerminal();
process.exitCode = await runCommandLine(createZonewrightProgram(terminal), words, terminal);
// A server that could not start, or has stopped, must not be held up by a thread that is still winding down; a command
// that was broken off, not by what it no longer waits for.
if (isServer || process.exitCode === exitCodes.interrupted) process.exit();
