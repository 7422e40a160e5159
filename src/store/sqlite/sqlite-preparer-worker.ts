// A preparing thread: decides dry runs and large commands on a snapshot, with the same code as the writer. Its connection is
// read-only. What changes nothing is answered from here; the rows of what has to be written are left in a file, which the
// writer takes over if nothing has changed that the decision rests on.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { collectGarbage } from '../../base/collect-garbage.ts';
import { lowerPriority } from '../../base/lower-priority.ts';
import { finishSteps, type Steps } from '../../base/steps.ts';
import type { BatchWrites, Counters } from '../../writes/batch-writes.ts';
import type { Command } from '../../writes/command.ts';
import { recordReads, type DecisionBasis } from '../../writes/decision-basis.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { assertPreparable, noManyRows, type PreparedWrite } from '../../writes/prepared-write.ts';
import { runBatch } from '../../writes/run-batch.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { openSigning, type SigningMoment } from '../signing-settings.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import { decodeCommands } from '../threads/command-messages.ts';
import { encodePreparedWrite } from '../threads/packed-zone-key.ts';
import { PieceSender } from '../threads/packed-list.ts';
import type { PieceMessage } from '../threads/command-thread.ts';
import type { Answer, PreparingThreadData, ToPreparer } from './preparing-messages.ts';
import { encodeResult } from '../threads/result-messages.ts';
import { openDatabase, prepareQuery, sqliteErrorCode } from './sqlite-driver.ts';
import { createRowReader } from './sqlite-row-reader.ts';
import { removeStagedFile } from './staged-files.ts';
import { stageRows } from './staged-rows.ts';

/** Enough for the inner pages; a whole zone is read only once. */
const PREPARER_CACHE_KIB = 8 * 1024;

assert(parentPort !== null, 'runs as a worker thread');
lowerPriority();
const port = parentPort;
const { path, quotas, dnssec, stagedPath, gone } = workerData as PreparingThreadData;
const database = openDatabase(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${PREPARER_CACHE_KIB}`);
const rows = createRowReader(database);
/** When the command was sent, by the clock of the service. */
let sentAt: SigningMoment = { atMs: 0 };
const nextSigning = openSigning(dnssec, () => sentAt);
const countersRow = prepareQuery<CounterRow>(database, `SELECT ${COUNTER_COLUMNS} FROM counters`);
const pieces = new PieceSender((text) => post({ kind: 'piece', text }));
let received: string[] = [];
/** The command whose rows are staged, and its reply once they are written. */
let current: { readonly command: Command; readonly reply: CommandReply } | undefined;

/** The thread that had prepared the command has ended, and this one has taken its place. */
const lostCommand: CommandReply = { kind: 'unknown', message: 'the preparing thread failed' };

/** Thrown between two steps when nobody waits for the result any more. */
class ClientGone extends Error {}

port.on('message', (message: ToPreparer | PieceMessage) => {
  switch (message.kind) {
    case 'piece':
      received.push(message.text);
      return;
    case 'prepare':
      sentAt = message.moment;
      prepare(message.text);
      return;
    case 'again':
      if (current === undefined) finish(lostCommand, undefined);
      else decideAndPost(current.command, message.domainId);
      return;
    case 'written':
      finish(current?.reply ?? lostCommand, current?.command);
      return;
    case 'drop':
      forget();
      post({ kind: 'dropped' });
      return;
    case 'close':
      database.close();
      port.close();
  }
});
post({ kind: 'ready' });

function prepare(text: string): void {
  const [decoded] = finishSteps(decodeCommands(text, 1, received));
  received = [];
  if ('command' in decoded) decideAndPost(decoded.command, null);
  else finish({ kind: 'failed', message: decoded.failure }, undefined);
}

/** @param domainId the reserved id of a domain that the command creates */
function decideAndPost(command: Command, domainId: number | null): void {
  try {
    const { reply, writes, basis, counters } = decideOnSnapshot(command, domainId);
    // The batch of a refused command is discarded: it cannot be undone there (`UndoLog`).
    if (!isAccepted(reply) || writes.changes.length === 0) {
      finish(reply, command);
      return;
    }
    assertPreparable(writes);
    runWhileWanted(stageRows(stagedPath, writes));
    current = { command, reply };
    const hasReservedId = domainId !== null;
    const prepared: PreparedWrite = { basis, counters, hasReservedId, writes: { ...writes, ...noManyRows } };
    const createsDomain = writes.createdDomains.length > 0;
    post({ kind: 'staged', path: stagedPath, text: encodePreparedWrite(prepared), createsDomain });
  } catch (error) {
    finish(describeFailure(error), command);
  }
}

function isAccepted(reply: CommandReply): boolean {
  return reply.kind === 'decided' && reply.result.ok;
}

interface Decided {
  readonly reply: CommandReply;
  readonly writes: BatchWrites;
  readonly basis: DecisionBasis;
  readonly counters: Counters;
}

function decideOnSnapshot(command: Command, domainId: number | null): Decided {
  try {
    database.exec('BEGIN');
    const row = countersRow.get();
    assert(row !== undefined, 'the counters row exists');
    const found = toCounters(row);
    const counters = domainId === null ? found : { ...found, lastDomainId: domainId - 1 };
    const { reader, basis } = recordReads(rows);
    const batch = new PendingBatch(reader, counters, quotas, command.dryRun === true, nextSigning());
    const isOurs = (error: unknown): boolean =>
      error instanceof ClientGone || sqliteErrorCode(error) !== undefined;
    const [reply] = runWhileWanted(runBatch([command], batch, isOurs));
    return { reply, writes: batch.finish(), basis, counters };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

/** Runs all steps without a pause, as long as the client waits. */
function runWhileWanted<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (Atomics.load(gone, 0) === 1) {
      steps.return(undefined as T);
      throw new ClientGone('the client has gone');
    }
  }
}

function describeFailure(error: unknown): CommandReply {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = error instanceof ClientGone || sqliteErrorCode(error) !== undefined;
  return { kind: isOurs ? 'unavailable' : 'failed', message };
}

function finish(reply: CommandReply, command: Command | undefined): void {
  post({ kind: 'prepared', text: `[${finishSteps(encodeResult(reply, command, pieces))}]` });
  pieces.endMessage();
  forget();
}

function forget(): void {
  current = undefined;
  removeStagedFile(stagedPath);
  // After the answer is on its way.
  setImmediate(collectGarbage);
}

function post(message: Answer | PieceMessage | { readonly kind: 'ready' }): void {
  port.postMessage(message);
}
