import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of commands that show a plan first. */
export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addConfirmOption(command: Command): Command {
  return command.option('--yes', 'apply the plan without asking');
}

/**
 * Called before any work: without a terminal, --yes or --dry-run must answer the question in advance.
 *
 * @throws CommandFailure if neither is set
 */
export function checkAnswerable({ yes, dryRun }: ConfirmOptions, terminal: Terminal): void {
  if (yes === true || dryRun === true || terminal.ask !== undefined) return;
  throw new CommandFailure(exitCodes.usage, 'not a terminal, cannot ask: use --yes or --dry-run');
}

/** Any answer except yes means no. */
export async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const answer = (await terminal.ask?.(`${escapeControls(question)} [y/N] `)) ?? '';
  return /^y(?:es)?$/i.test(answer.trim());
}
