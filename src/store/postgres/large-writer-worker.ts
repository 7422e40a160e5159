// The thread for large writes: decides a command on a snapshot, with the same code as a batch, and commits it. Deciding
// takes seconds and hundreds of megabytes, which would delay every request on the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { collectGarbage } from '../../base/collect-garbage.ts';
import type { Clock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { lowerPriority } from '../../base/lower-priority.ts';
import { finishSteps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { decodeCommands } from '../threads/command-messages.ts';
import type { SigningMoment } from '../signing-settings.ts';
import type { PieceMessage } from '../threads/command-thread.ts';
import { PieceSender } from '../threads/packed-list.ts';
import { encodeResult } from '../threads/result-messages.ts';
import { writeLarge, type LargeWriteOutcome } from './large-write.ts';
import type {
  LargeAnswer,
  LargeWriteEvent,
  LargeWriterThreadData,
  ToLargeWriter,
} from './large-write-messages.ts';
import type { SessionLimits } from './postgres-connection.ts';
import { messageOf } from './postgres-errors.ts';
import { PostgresWriter } from './postgres-writer.ts';

/** Copying all rows of a table is one statement, and so is reading a zone. */
const largeLimits: SessionLimits = { statementMs: 10_000, lockMs: 4000, idleInTransactionMs: 2000 };

assert(parentPort !== null, 'runs as a worker thread');
lowerPriority();
const port = parentPort;
const { address, quotas, dnssec, gone } = workerData as LargeWriterThreadData;
const pieces = new PieceSender((text) => post({ kind: 'piece', text }));
let received: string[] = [];
let events: LargeWriteEvent[] = [];
let startedAt: SigningMoment = { atMs: 0 };
let startedMs = 0;
/** The clock of the main thread, which tests replace. */
const clock: Clock = { nowMs: () => startedAt.atMs + Math.floor(performance.now() - startedMs) };

const writer = new PostgresWriter(
  {
    address,
    clock,
    findClockFault: () => startedAt.clockFault,
    log: { ...silentLog, error: (fields) => noteFailure(fields) },
    observer: {
      batchCommitted: (commands, commitMs) => events.push({ kind: 'committed', commands, commitMs }),
      batchRetried: () => events.push({ kind: 'retried' }),
      commandEnded: () => undefined,
    },
    quotas,
    dnssec,
  },
  largeLimits,
);

port.on('message', (message: ToLargeWriter | PieceMessage) => {
  switch (message.kind) {
    case 'piece':
      received.push(message.text);
      return;
    case 'write':
      startedAt = message.moment;
      startedMs = performance.now();
      void write(message.text);
      return;
    case 'close':
      void writer.close().then(() => port.close());
  }
});
post({ kind: 'ready' });

async function write(text: string): Promise<void> {
  const [decoded] = finishSteps(decodeCommands(text, 1, received));
  received = [];
  if ('command' in decoded) answer(await decide(decoded.command), decoded.command);
  else answer(failed({ kind: 'failed', message: decoded.failure }), undefined);
}

async function decide(command: Command): Promise<LargeWriteOutcome | undefined> {
  const wanted = (): boolean => Atomics.load(gone, 0) === 0;
  try {
    return await writeLarge({ writer, quotas, clock, wanted }, command);
  } catch (error) {
    return failed({
      kind: error instanceof StoreUnavailable ? 'unavailable' : 'failed',
      message: describe(error),
    });
  }
}

function failed(reply: CommandReply): LargeWriteOutcome {
  return { reply, lastSeq: null };
}

function describe(error: unknown): string {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return messageOf(error);
  return error.stack ?? error.message;
}

function answer(outcome: LargeWriteOutcome | undefined, command: Command | undefined): void {
  const encoded = outcome && `[${finishSteps(encodeResult(outcome.reply, command, pieces))}]`;
  post({ kind: 'done', text: encoded ?? null, lastSeq: outcome?.lastSeq ?? null, events });
  pieces.endMessage();
  events = [];
  // After the answer is on its way.
  setImmediate(collectGarbage);
}

function noteFailure(fields: object): void {
  events.push({ kind: 'failed', reason: messageOf('err' in fields ? fields.err : fields) });
}

function post(message: LargeAnswer | PieceMessage | { readonly kind: 'ready' }): void {
  port.postMessage(message);
}
