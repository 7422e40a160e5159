import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Of commands that show a plan first. */
export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addConfirmOption(command: Command): Command {
  return command.option('--yes', 'apply the plan without asking');
}

/**
 * Where nobody can be asked, the command line has to say what is wanted, before anything is done.
 *
 * @throws CommandFailure when it does not
 */
export function checkAnswerable({ yes, dryRun }: ConfirmOptions, terminal: Terminal): void {
  if (yes === true || dryRun === true || terminal.ask !== undefined) return;
  throw new CommandFailure(
    exitCodes.usage,
    'nobody can be asked here: give --yes to apply the plan, or --dry-run to see it',
  );
}

/** Anything but yes is no. */
export async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const answer = (await terminal.ask?.(`${question} [y/N] `)) ?? '';
  return /^y(?:es)?$/i.test(answer.trim());
}
