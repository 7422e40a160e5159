import { CommanderError } from 'commander';
import { ApiError } from '../client/api-error.ts';
import { Command } from './command-line/command.ts';
import { describeProblem } from './failures/describe-problem.ts';
import { exitCodes, exitCodesHelp } from './failures/exit-codes.ts';
import { findFailure } from './failures/find-failure.ts';
import { say, warn } from './terminal/say.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The programme without commands. Errors come back to `runCommandLine` instead of ending the process. */
export function createProgram(terminal: Terminal, description: string): Command {
  return new Command('zonewright')
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(text),
      // One line each: commander puts its "did you mean" on a second.
      outputError: (text, write) =>
        write(
          `zonewright: ${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}\n`,
        ),
      getOutHasColors: () => terminal.hasColor,
    })
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText('after', `\n${exitCodesHelp}`);
}

/**
 * Runs one command line and gives the exit code. What goes wrong is one sentence on stderr; only our own bugs show a
 * stack.
 *
 * @param words the arguments, without the programme's name.
 */
export async function runCommandLine(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? exitCodes.done : exitCodes.usage;
    const failure = findFailure(error);
    if (error instanceof ApiError) complainOfProblems(terminal, error);
    warn(terminal, failure?.message ?? OUR_BUG);
    if (failure === undefined) terminal.complain(`${String((error as Partial<Error>).stack ?? error)}\n`);
    return failure?.exitCode ?? exitCodes.failed;
  }
}

/** A batch or a master file is told everything that is wrong with it. */
function complainOfProblems(terminal: Terminal, { problems, more }: ApiError): void {
  for (const problem of problems) say(terminal, describeProblem(problem));
  if (more > 0) say(terminal, `… and ${more} more`);
}

const OUR_BUG = 'this is a bug in zonewright, please report it with what follows';

/** `--help` and `--version` were asked for; a command without its subcommand gets its help too, but as an error. */
function isHelp(error: CommanderError): boolean {
  return error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
}
