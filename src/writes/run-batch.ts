import type { Steps } from '../base/steps.ts';
import type { Command, CommandResult, CommandSuccess } from './command.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { refused } from '../model/result.ts';
import { passedRevision, revisionOf } from './revision.ts';
import { decodeOutcome, type KeptOutcome } from './kept-outcome.ts';
import type { PendingBatch } from './pending-batch.ts';

/** `decide` of the model, as an argument. */
export type Decide = (command: Command, view: PendingBatch) => Steps<CommandResult<Command>>;

/** `failed` is a bug of ours that one command laid bare: its neighbours are none the worse. */
export type Decision =
  | { readonly kind: 'decided'; readonly result: CommandResult<Command> }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Decides commands in order against one view; what a refused or failing command wrote is taken back, and what a dry run
 * did. A request whose idempotency key is known gets its first outcome again. Whole zones take many steps.
 *
 * @param isStoreFault tells errors of the store (the whole batch fails: thrown on) from bugs (this command fails).
 */
export function* runBatch(
  commands: readonly Command[],
  view: PendingBatch,
  decide: Decide,
  isStoreFault: (error: unknown) => boolean,
): Steps<Decision[]> {
  const writers = new Set<Command>();
  const decisions: Decision[] = [];
  for (const command of commands) {
    try {
      const result = yield* runCommand(command, view, decide);
      if (view.hasWritten()) writers.add(command);
      decisions.push({ kind: 'decided', result });
    } catch (error) {
      if (isStoreFault(error)) throw error;
      view.undo();
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      decisions.push({ kind: 'failed', message });
    }
  }
  return tellPassedRevisions(commands, decisions, writers, view);
}

/**
 * All writers of a batch find the serial that it ends with, but only from the last one that wrote to a domain on does
 * anybody know what that serial holds: those before are told a revision that is over.
 */
function tellPassedRevisions(
  commands: readonly Command[],
  decisions: readonly Decision[],
  writers: ReadonlySet<Command>,
  view: PendingBatch,
): Decision[] {
  const writtenLater = new Set<ZoneName | undefined>();
  const told = [...decisions];
  for (let step = decisions.length - 1; step >= 0; step--) {
    const [command, decision] = [commands[step], decisions[step]];
    const name = domainOf(command);
    if (writtenLater.has(name) && decision.kind === 'decided') {
      told[step] = { kind: 'decided', result: withPassedRevision(command, decision.result, step, view) };
    }
    if (writers.has(command)) writtenLater.add(name);
  }
  return told;
}

function withPassedRevision(
  command: Command,
  result: CommandResult<Command>,
  step: number,
  view: PendingBatch,
): CommandResult<Command> {
  if (!result.ok || result.revision === undefined) return result;
  const told = { ...result, revision: passedRevision(result.revision, step) };
  if (command.author !== undefined && !command.dryRun) view.amendOutcome(command.author, told);
  return told;
}

function* runCommand(command: Command, view: PendingBatch, decide: Decide): Steps<CommandResult<Command>> {
  const { author, dryRun } = command;
  view.begin(author ?? null);
  const kept = author === undefined || dryRun ? undefined : view.findKeptOutcome(author);
  if (kept !== undefined) return repeatOutcome(kept, author?.idempotency?.hash);
  const result = yield* decide(command, view);
  if (!result.ok) {
    view.undo();
    return result;
  }
  if (dryRun) {
    const difference = differenceOf(result, command, view);
    view.undo();
    return withSerial({ ...result, ...difference }, command, view);
  }
  const done = withSerial(result, command, view);
  if (author !== undefined) view.keepOutcome(author, done);
  view.keep();
  return done;
}

function repeatOutcome({ hash, outcome }: KeptOutcome, asked: string | undefined): CommandResult<Command> {
  if (hash === asked) return decodeOutcome(outcome);
  return refused('idempotency_mismatch', 'This Idempotency-Key was used for another request already');
}

/** None of what is not about a domain. */
function differenceOf(
  { value, changed }: CommandSuccess,
  command: Command,
  view: PendingBatch,
): { readonly difference?: RecordsChanged } {
  if (domainOf(command) === undefined) return {};
  if (value !== null && 'unchanged' in value) return { difference: value };
  return { difference: { ...view.difference(), unchanged: changed ? 0 : 1 } };
}

/** A batch raises a domain's serial once, at its first write: what a command finds here is what followers will see. */
function withSerial(result: CommandSuccess, command: Command, view: PendingBatch): CommandSuccess {
  const name = domainOf(command);
  const domain = name === undefined ? undefined : view.findDomain(name);
  if (domain === undefined) return result;
  return { ...result, serial: domain.serial, revision: revisionOf(domain) };
}

function domainOf(command: Command): ZoneName | undefined {
  if ('domain' in command) return command.domain;
  return 'name' in command ? command.name : undefined;
}
