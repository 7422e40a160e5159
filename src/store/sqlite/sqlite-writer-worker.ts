// The writer thread. Owns the only connection that writes. Takes all waiting commands, decides and commits them in batches,
// and posts the results of each batch as soon as it is durable. Upkeep runs between batches.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { finishSteps } from '../../base/steps.ts';
import { openSigning, type SigningMoment } from '../signing-settings.ts';
import { createUpkeep } from './sqlite-upkeep.ts';
import { SqliteWriter, type BatchResult } from './sqlite-writer.ts';
import { decodeCommands, type DecodedCommand } from '../threads/command-messages.ts';
import { PieceSender } from '../threads/packed-list.ts';
import { FeedWaker } from './feed-waker.ts';
import type { StagedWrite } from './preparing-messages.ts';
import { postBatch, type FromWriter, type ToWriter, type WriterData } from './writer-messages.ts';

/** 256 commands take some 6 ms; a larger batch would only make the first of them wait. */
const MAX_BATCH_COMMANDS = 256;

/** Batches between two slices of upkeep while writers wait; upkeep then takes about a tenth of the thread. */
const BATCHES_PER_UPKEEP_SLICE = 16;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path, quotas, dnssec, wakePath } = workerData as WriterData;
/** When the last commands were sent, by the clock of the service. */
let sentAt: SigningMoment = { atMs: 0 };
const writer = new SqliteWriter(
  path,
  quotas,
  openSigning(dnssec, () => sentAt),
);
const waker = wakePath === undefined ? undefined : new FeedWaker(wakePath);
const upkeep = createUpkeep(writer.database, quotas?.limits);
const waiting: DecodedCommand[] = [];
/** Prepared writes, oldest first. */
const staged: StagedWrite[] = [];
const pieces = new PieceSender((text) => post({ kind: 'piece', text }));
/** Pieces of the next commands. */
let received: string[] = [];
let closing = false;
let upkeepDue = false;
/** Requests for upkeep since its last run ended. */
let upkeepRequests = 0;
let idleTurnScheduled = false;
let batchesSinceUpkeep = 0;

writer.onUnhashed = (domainId) => {
  upkeep.hashZone(domainId);
  upkeepDue = true;
};
port.on('message', (message: ToWriter) => {
  receive(message);
  work();
});
post({ kind: 'ready' });
work();

function work(): void {
  for (receiveAll(); waiting.length > 0 || staged.length > 0; receiveAll()) {
    if (waiting.length > 0) commitSome();
    const prepared = staged.shift();
    if (prepared !== undefined) takeOver(prepared);
    batchesSinceUpkeep++;
    if (upkeepDue && batchesSinceUpkeep >= BATCHES_PER_UPKEEP_SLICE) tidy();
  }
  if (closing) close();
  else if (upkeepDue) tidyWhileIdle();
}

/** Runs slice after slice, and looks for commands in between. */
function tidyWhileIdle(): void {
  if (idleTurnScheduled) return;
  idleTurnScheduled = true;
  setImmediate(() => {
    idleTurnScheduled = false;
    if (upkeepDue && !closing) tidy();
    if (!closing) work();
  });
}

function receiveAll(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    receive(next.message as ToWriter);
  }
}

function receive(message: ToWriter): void {
  switch (message.kind) {
    case 'piece':
      received.push(message.text);
      return;
    case 'commands':
      sentAt = message.moment;
      waiting.push(...finishSteps(decodeCommands(message.text, message.count, received)));
      received = [];
      return;
    case 'takeOver':
      staged.push(message.staged);
      return;
    case 'logMoved':
      writer.keepLogShort(true);
      return;
    case 'reserveDomainId':
      reserveDomainId();
      return;
    case 'upkeep':
      upkeep.setTime(message.plan.times);
      upkeep.keepTime(message.plan.trustedMs, message.wallMs);
      upkeepDue = true;
      upkeepRequests++;
      return;
    case 'shortenLog':
      shortenLog();
      return;
    case 'close':
      closing = true;
      return;
  }
}

/** Commits the oldest commands, as many as make a batch of a bounded size. */
function commitSome(): void {
  const startMs = performance.now();
  const decoded = waiting.slice(0, MAX_BATCH_COMMANDS);
  const failed = decoded.findIndex((one) => 'failure' in one);
  const ready = failed === -1 ? decoded : decoded.slice(0, failed);
  const commands = ready.flatMap((one) => ('command' in one ? [one.command] : []));
  const batch = commands.length === 0 ? refuseUndecoded(decoded[0]) : writer.commitBatch(commands);
  if (batch.lastSeq !== null) waker?.wake(batch.lastSeq, batch.commit);
  waiting.splice(0, batch.results.length);
  const commitMs = performance.now() - startMs;
  finishSteps(postBatch(commands, batch, commitMs, pieces, post));
}

function takeOver(prepared: StagedWrite): void {
  const startMs = performance.now();
  const { lastSeq, ...reply } = writer.takeOver(prepared);
  if (lastSeq !== null) waker?.wake(lastSeq);
  post({ kind: 'takenOver', reply, lastSeq, commitMs: performance.now() - startMs });
}

function reserveDomainId(): void {
  try {
    post({ kind: 'reserved', domainId: writer.reserveDomainId() });
  } catch (error) {
    post({ kind: 'reserved', domainId: String(error) });
  }
}

function refuseUndecoded(decoded: DecodedCommand): BatchResult {
  const message = 'failure' in decoded ? decoded.failure : '';
  return { results: [{ kind: 'failed', message }], lastSeq: null };
}

/** After a failure upkeep waits for the next hint, because writers are more important. */
function tidy(): void {
  batchesSinceUpkeep = 0;
  let error: string | null = null;
  try {
    upkeepDue = writer.inTransaction(() => upkeep.runSlice());
  } catch (thrown) {
    upkeepDue = false;
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  if (upkeepDue) return;
  post({ kind: 'upkeepEnded', requests: upkeepRequests, error });
  upkeepRequests = 0;
}

function shortenLog(): void {
  try {
    writer.shortenLog();
  } catch (error) {
    post({ kind: 'trouble', doing: 'shortening the log', message: String(error) });
  }
  post({ kind: 'logShortened' });
}

function close(): void {
  waker?.close();
  writer.close();
  port.close();
}

function post(message: FromWriter): void {
  port.postMessage(message);
}
