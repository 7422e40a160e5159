import type { Command, CommandOutcome } from '../model/command.ts';
import type { ZoneName } from '../model/domain.ts';
import type { PendingBatch } from './pending-batch.ts';

/** `decide` of the model, as an argument. */
export type Decide = (command: Command, view: PendingBatch) => CommandOutcome<Command>;

/** `failed` is a bug of ours that one command laid bare: its neighbours are none the worse. */
export type CommandResult =
  | { readonly kind: 'decided'; readonly outcome: CommandOutcome<Command> }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Decides commands in order against one view; what a refused or failing command wrote is taken back.
 *
 * @param isStoreFault tells errors of the store (the whole batch fails: thrown on) from bugs (this command fails).
 */
export function runBatch(
  commands: readonly Command[],
  view: PendingBatch,
  decide: Decide,
  isStoreFault: (error: unknown) => boolean,
): CommandResult[] {
  return commands.map((command) => {
    try {
      view.begin('author' in command ? command.author : null);
      const outcome = decide(command, view);
      if (!outcome.ok) {
        view.undo();
        return { kind: 'decided', outcome };
      }
      view.keep();
      return { kind: 'decided', outcome: withSerial(outcome, command, view) };
    } catch (error) {
      if (isStoreFault(error)) throw error;
      view.undo();
      return {
        kind: 'failed',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    }
  });
}

/** A batch raises a domain's serial once, at its first write: what a command finds here is what followers will see. */
function withSerial(
  outcome: CommandOutcome<Command> & { readonly ok: true },
  command: Command,
  view: PendingBatch,
): CommandOutcome<Command> {
  const name = domainOf(command);
  const domain = name === undefined ? undefined : view.findDomain(name);
  return domain === undefined ? outcome : { ...outcome, serial: domain.serial };
}

function domainOf(command: Command): ZoneName | undefined {
  if ('domain' in command) return command.domain;
  return 'name' in command ? command.name : undefined;
}
