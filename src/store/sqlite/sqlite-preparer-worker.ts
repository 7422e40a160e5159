// A preparing thread: decides dry runs and large commands on a snapshot, with the same code as the writer. Its connection is
// read-only. What changes nothing is answered from here; what has to be written is left to the writer.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { finishSteps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { runBatch } from '../../writes/run-batch.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { COUNTER_COLUMNS, toCounters, type CounterRow } from '../table-rows.ts';
import { decodeCommands } from './command-messages.ts';
import { PieceSender } from './packed-list.ts';
import type { FromPreparer, PreparerData, ToPreparer } from './preparing-messages.ts';
import { encodeResult } from './result-messages.ts';
import { openDatabase, prepareQuery, sqliteErrorCode } from './sqlite-driver.ts';
import { createRowReader } from './sqlite-row-reader.ts';

/** Enough for the inner pages; a whole zone is read only once. */
const PREPARER_CACHE_KIB = 8 * 1024;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path, quotas } = workerData as PreparerData;
const database = openDatabase(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${PREPARER_CACHE_KIB}`);
const rows = createRowReader(database);
const counters = prepareQuery<CounterRow>(database, `SELECT ${COUNTER_COLUMNS} FROM counters`);
const pieces = new PieceSender((text) => post({ kind: 'piece', text }));
let received: string[] = [];

port.on('message', (message: ToPreparer) => {
  if (message.kind === 'piece') received.push(message.text);
  else if (message.kind === 'prepare') prepare(message.text);
  else close();
});
post({ kind: 'ready' });

function prepare(text: string): void {
  const [decoded] = finishSteps(decodeCommands(text, 1, received));
  received = [];
  const command = 'command' in decoded ? decoded.command : undefined;
  const reply: CommandReply =
    'command' in decoded ? tryDecide(decoded.command) : { kind: 'failed', message: decoded.failure };
  const mustWrite = command !== undefined && command.dryRun === undefined && isChange(reply);
  const encoded = mustWrite ? '' : `[${finishSteps(encodeResult(reply, command, pieces))}]`;
  post({ kind: 'prepared', text: encoded });
  pieces.endMessage();
}

function isChange(reply: CommandReply): boolean {
  return reply.kind === 'decided' && reply.result.ok && reply.result.changed;
}

function tryDecide(command: Command): CommandReply {
  try {
    database.exec('BEGIN');
    return decideOne(command);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: sqliteErrorCode(error) === undefined ? 'failed' : 'unavailable', message };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function decideOne(command: Command): CommandReply {
  const row = counters.get();
  assert(row !== undefined, 'the counters row exists');
  const batch = new PendingBatch(rows, toCounters(row), quotas);
  const isStoreFault = (error: unknown): boolean => sqliteErrorCode(error) !== undefined;
  const [decision] = finishSteps(runBatch([command], batch, isStoreFault));
  return decision;
}

function close(): void {
  database.close();
  port.close();
}

function post(message: FromPreparer): void {
  port.postMessage(message);
}
