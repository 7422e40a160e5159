import type { Command, CommandOutcome } from '../model/command.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { refused } from '../model/refusal.ts';
import { revisionOf } from '../model/revision.ts';
import { decodeOutcome, type KeptOutcome, type OkOutcome } from './kept-outcome.ts';
import type { PendingBatch } from './pending-batch.ts';

/** `decide` of the model, as an argument. */
export type Decide = (command: Command, view: PendingBatch) => CommandOutcome<Command>;

/** `failed` is a bug of ours that one command laid bare: its neighbours are none the worse. */
export type CommandResult =
  | { readonly kind: 'decided'; readonly outcome: CommandOutcome<Command> }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Decides commands in order against one view; what a refused or failing command wrote is taken back, and what a dry run
 * did. A request whose idempotency key is known gets its first outcome again.
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
      return { kind: 'decided', outcome: runCommand(command, view, decide) };
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

function runCommand(command: Command, view: PendingBatch, decide: Decide): CommandOutcome<Command> {
  const author = 'author' in command ? command.author : null;
  const isDryRun = 'dryRun' in command && command.dryRun === true;
  view.begin(author);
  const kept = author === null || isDryRun ? undefined : view.findKeptOutcome(author);
  if (kept !== undefined) return repeatOutcome(kept, author?.idempotency?.hash);
  const outcome = decide(command, view);
  if (!outcome.ok) {
    view.undo();
    return outcome;
  }
  if (isDryRun) {
    const difference = differenceOf(outcome, view);
    view.undo();
    return withSerial({ ...outcome, difference }, command, view);
  }
  const done = withSerial(outcome, command, view);
  if (author !== null) view.keepOutcome(author, done);
  view.keep();
  return done;
}

function repeatOutcome({ hash, outcome }: KeptOutcome, asked: string | undefined): CommandOutcome<Command> {
  if (hash === asked) return decodeOutcome(outcome);
  return refused('idempotency_mismatch', 'This Idempotency-Key was used for another request already');
}

function differenceOf({ value, created }: OkOutcome, view: PendingBatch): RecordsChanged {
  if (value !== null && 'unchanged' in value) return value;
  return { ...view.difference(), unchanged: created ? 0 : 1 };
}

/** A batch raises a domain's serial once, at its first write: what a command finds here is what followers will see. */
function withSerial(outcome: OkOutcome, command: Command, view: PendingBatch): OkOutcome {
  const name = domainOf(command);
  const domain = name === undefined ? undefined : view.findDomain(name);
  if (domain === undefined) return outcome;
  return { ...outcome, serial: domain.serial, revision: revisionOf(domain) };
}

function domainOf(command: Command): ZoneName | undefined {
  if ('domain' in command) return command.domain;
  return 'name' in command ? command.name : undefined;
}
