// A reader thread: looks through many rows, one read after the other, while the main thread does everything else. Its
// connection cannot write, and sees all that is committed when a read begins. Between two steps it looks at the clock, and
// whether the answer is still wanted.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type {
  EndReason,
  FromReader,
  LongRead,
  ReaderData,
  ReadMessage,
  ReadResult,
  ToReader,
} from './reader-messages.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';
import { SqliteReads } from './sqlite-reads.ts';

/** Inner pages, and no more: what a search passes over would throw out anything else. */
const READER_CACHE_KIB = 8 * 1024;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path } = workerData as ReaderData;
const database = openDatabase(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
const reads = new SqliteReads(database, () => checkStep());
let checkStep = (): void => undefined;

port.on('message', (message: ToReader) => {
  if (message.kind === 'close') close();
  else post(answer(message));
});
post({ kind: 'ready' });

function answer({ read, args, gone, limitMs }: ReadMessage): FromReader {
  const endMs = performance.now() + limitMs;
  checkStep = () => {
    if (Atomics.load(gone, 0) === 1) throw new ReadEnded('gone');
    if (performance.now() > endMs) throw new ReadEnded('late');
  };
  try {
    const run = reads[read].bind(reads) as (...args: readonly unknown[]) => ReadResult<LongRead>;
    return { kind: 'result', result: run(...args) };
  } catch (error) {
    if (error instanceof ReadEnded) return { kind: 'ended', reason: error.reason };
    const isOurFault = sqliteErrorCode(error) === undefined;
    const reason = error instanceof Error ? error : new Error(String(error));
    const message = isOurFault ? (reason.stack ?? reason.message) : reason.message;
    return { kind: 'failed', message, isOurFault };
  }
}

class ReadEnded extends Error {
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(reason);
    this.reason = reason;
  }
}

function close(): void {
  database.close();
  port.close();
}

function post(message: FromReader): void {
  port.postMessage(message);
}
