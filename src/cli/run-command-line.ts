import { CommanderError } from 'commander';
import { ApiError } from '../client/api-error.ts';
import { Command } from './command-line/command.ts';
import { describeProblem } from './failures/describe-problem.ts';
import { exitCodes, exitCodesHelp } from './failures/exit-codes.ts';
import { findFailure } from './failures/find-failure.ts';
import { escapeLines } from './terminal/escape-controls.ts';
import { say, warn } from './terminal/say.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The program without its commands. Errors are thrown to `runCommandLine` instead of ending the process. */
export function createProgram(terminal: Terminal, description: string): Command {
  return new Command('zonewright')
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(escapeLines(text)),
      // Commander puts "did you mean" on a second line; the CLI prints one line per error.
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
 * Runs one command line and returns the exit code. A failure prints one sentence on stderr; only a bug prints a stack
 * trace.
 *
 * @param words the arguments without the program's name
 */
export async function runCommandLine(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await program.parseAsync(await expandHelp(program, words), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? exitCodes.done : exitCodes.usage;
    const failure = findFailure(error);
    if (error instanceof ApiError) complainOfProblems(terminal, error);
    warn(terminal, failure?.message ?? OUR_BUG);
    if (failure === undefined)
      terminal.complain(`${escapeLines(String((error as Partial<Error>).stack ?? error))}\n`);
    return failure?.exitCode ?? exitCodes.failed;
  }
}

/** `help record set` is `record set --help`. @throws CommanderError if there is no such command */
async function expandHelp(program: Command, words: readonly string[]): Promise<readonly string[]> {
  const [first, ...rest] = words;
  if (first !== 'help') return words;
  let command = program;
  for (const word of rest.filter((each) => each !== 'help' && !each.startsWith('-'))) {
    await command.complete();
    if (command.commands.length === 0) break;
    const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!(found instanceof Command)) return command.error(`error: unknown command '${word}'`);
    command = found;
  }
  return [...rest.filter((each) => each !== 'help'), '--help'];
}

/** Lists everything that is wrong with a batch or a zone file. */
function complainOfProblems(terminal: Terminal, { problems, more }: ApiError): void {
  for (const problem of problems) say(terminal, describeProblem(problem));
  if (more > 0) say(terminal, `… and ${more} more`);
}

const OUR_BUG = 'this is a bug in zonewright, please report it with the following lines';

/** True for `--help` and `--version`. A group without a subcommand also prints its help, but as an error. */
function isHelp(error: CommanderError): boolean {
  return error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
}
