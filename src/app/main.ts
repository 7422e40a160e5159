import { exitCodes } from '../cli/failures/exit-codes.ts';
import { runCommandLine } from '../cli/run-command-line.ts';
import { processTerminal } from '../cli/terminal/terminal.ts';
import { createZonewrightProgram } from './zonewright-program.ts';

const words = process.argv.slice(2);
const isServer = words[0] === 'serve';

// A reader that stops early (`| head`) ends a command, but not the server. If output is lost for another reason, such
// as a full disk, the command fails: half a zone must not look like a whole one.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  if (isServer) return;
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`zonewright: the output cannot be written (${code})\n`);
  process.exit(exitCodes.failed);
});

const terminal = processTerminal();
process.exitCode = await runCommandLine(createZonewrightProgram(terminal), words, terminal);
// Do not wait for threads of a server that has stopped or could not start, nor for pending work of an interrupted
// command.
if (isServer || process.exitCode === exitCodes.interrupted) process.exit();
