// The write path, from commands to the rows of one transaction. Everything here is pure: an engine of `src/store` provides
// the committed rows and writes what comes out.
//
//   Command ─▶ WriteQueue ─▶ runBatch                                      for each command of the batch:
//                               │  checkPrecondition   is the domain in the revision that the client expects?
//                               │  decide…             the rules that depend on other rows; checkPlacement beside
//                               │                      the records at the same owner (OwnerRecords)
//                               ▼
//                            PendingBatch ◀── RowReader                    committed rows, the batch's writes on top
//                               │  keep(), or undo() what a refused, failed or dry-run command wrote
//                               ▼
//                            BatchWrites: rows, feed entries (history), kept outcomes
//
// Never reads a clock, never talks to a database, and never knows which engine runs it.
import type { Steps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { refused, type Refused } from '../model/result.ts';
import { authorOf, type Command, type CommandResult, type CommandSuccess } from './command.ts';
import { decide } from './decide.ts';
import { decodeOutcome, type KeptOutcome } from './kept-outcome.ts';
import type { PendingBatch } from './pending-batch.ts';
import { passedRevision, revisionOf } from './revision.ts';

/** `failed` is a bug of ours in one command; the other commands of the batch are not affected. */
export type Decision =
  | { readonly kind: 'decided'; readonly result: CommandResult<Command> }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * The octets of records that a batch changes, old ones counted too: a hundred milliseconds of work. The command that
 * reaches the limit is the last one of its batch.
 */
export const MAX_BATCH_OCTETS = 8 * 1024 * 1024;

/**
 * Decides commands in order against one batch, and undoes the writes of refused, failing and dry-run commands. A request
 * whose idempotency key is known gets its first outcome again. Writes of whole zones take many steps. Stops before the end of the list if the batch
 * has become large, or before a signed domain is deleted, or replaced as signed elsewhere, that the batch has changed; the other commands belong to the next
 * batch.
 *
 * @param isStoreFault distinguishes errors of the store, which are rethrown and fail the whole batch, from bugs, which
 *   fail one command
 */
export function* runBatch(
  commands: readonly Command[],
  batch: PendingBatch,
  isStoreFault: (error: unknown) => boolean,
): Steps<Decision[]> {
  const writers = new Set<Command>();
  const decisions: Decision[] = [];
  for (const command of commands) {
    try {
      if (belongsToNext(command, batch)) break;
      const result = yield* runCommand(command, batch);
      if (batch.hasWritten()) writers.add(command);
      decisions.push({ kind: 'decided', result });
    } catch (error) {
      if (isStoreFault(error)) throw error;
      batch.undo();
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      decisions.push({ kind: 'failed', message });
    }
    if (batch.octets() >= MAX_BATCH_OCTETS) break;
  }
  yield* batch.signing.sign();
  return markPassedRevisions(commands, decisions, writers, batch);
}

/** A signed domain is deleted with the signatures of its last version; a zone that is signed elsewhere brings its serial. */
function belongsToNext(command: Command, batch: PendingBatch): boolean {
  const deleted = mayDelete(command);
  if (deleted !== undefined) return batch.signing.isDue(deleted);
  return command.kind === 'importZone' && command.presigned !== undefined && batch.isTouched(command.domain);
}

/** Creating a domain may delete an unverified one of another account. */
function mayDelete(command: Command): ZoneName | undefined {
  if (command.kind === 'expireClaim') return command.domain;
  const isDeletion = command.kind === 'deleteDomain' || command.kind === 'createDomain';
  return isDeletion ? command.name : undefined;
}

/**
 * All writers of a batch get the serial that the batch ends with, but only the last writer of a domain, and commands
 * after it, know what that serial contains. Earlier ones get a revision that has already passed.
 */
function markPassedRevisions(
  commands: readonly Command[],
  decisions: readonly Decision[],
  writers: ReadonlySet<Command>,
  batch: PendingBatch,
): Decision[] {
  const writtenLater = new Set<ZoneName | undefined>();
  const marked = [...decisions];
  for (let step = decisions.length - 1; step >= 0; step--) {
    const [command, decision] = [commands[step], decisions[step]];
    const name = domainOf(command);
    if (writtenLater.has(name) && decision.kind === 'decided') {
      marked[step] = { kind: 'decided', result: withPassedRevision(command, decision.result, step, batch) };
    }
    if (writers.has(command)) writtenLater.add(name);
  }
  return marked;
}

function withPassedRevision(
  command: Command,
  result: CommandResult<Command>,
  step: number,
  batch: PendingBatch,
): CommandResult<Command> {
  if (!result.ok || result.revision === undefined) return result;
  const passed = { ...result, revision: passedRevision(result.revision, step) };
  if (command.author !== undefined && !command.dryRun) batch.outcomes.amend(command.author, passed);
  return passed;
}

function* runCommand(command: Command, batch: PendingBatch): Steps<CommandResult<Command>> {
  const { author, dryRun } = command;
  batch.begin(authorOf(command), dryRun === true);
  const kept = author === undefined || dryRun ? undefined : batch.outcomes.find(author);
  if (kept !== undefined) return repeatOutcome(kept, author?.idempotency?.hash);
  const decided = yield* decide(command, batch);
  const result = decided.ok ? (findRefusal(command, batch) ?? decided) : decided;
  if (!result.ok) {
    batch.undo();
    return result;
  }
  if (dryRun) {
    const difference = differenceOf(result, command, batch);
    batch.undo();
    return withSerial({ ...result, ...difference }, command, batch);
  }
  const done = withSerial(result, command, batch);
  // A repeat of a request that changed nothing changes nothing either, and needs no outcome.
  if (author?.idempotency !== undefined && done.changed) {
    batch.outcomes.keep(author, done);
    const refusal = batch.findQuotaRefusal(undefined);
    if (refusal !== undefined) {
      batch.undo();
      return refusal;
    }
  }
  batch.keep();
  return done;
}

/** A limit that a command exceeds as a whole. */
function findRefusal(command: Command, batch: PendingBatch): Refused | undefined {
  const name = domainOf(command);
  return batch.findQuotaRefusal(name) ?? (name && batch.signing.findRefusal(name));
}

function repeatOutcome(
  { hash, outcome }: KeptOutcome,
  askedHash: string | undefined,
): CommandResult<Command> {
  if (hash === askedHash) return decodeOutcome(outcome);
  return refused('idempotency_mismatch', 'This Idempotency-Key was used for another request already');
}

/** Empty for commands that are not about a domain. */
function differenceOf(
  { value, changed }: CommandSuccess,
  command: Command,
  batch: PendingBatch,
): { readonly difference?: RecordsChanged } {
  if (domainOf(command) === undefined) return {};
  if (value !== null && 'unchanged' in value) return { difference: value };
  return { difference: { ...batch.difference(), unchanged: changed ? 0 : 1 } };
}

/** A batch raises a domain's serial once, at its first write: the serial seen here is the one that followers will see. */
function withSerial(result: CommandSuccess, command: Command, batch: PendingBatch): CommandSuccess {
  const name = domainOf(command);
  const domain = name === undefined ? undefined : batch.findDomain(name);
  if (domain === undefined) return result;
  // The spread comes last: V8 takes microseconds for properties that follow it.
  return { serial: domain.serial, revision: revisionOf(domain), ...result };
}

export function domainOf(command: Command): ZoneName | undefined {
  if ('domain' in command) return command.domain;
  return 'name' in command ? command.name : undefined;
}
