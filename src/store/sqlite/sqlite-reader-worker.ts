// A reader thread: scans many rows, one read after the other, without blocking the main thread. Its connection is
// read-only and sees everything that is committed when a read begins. Between two steps it checks the time limit and
// whether the read was aborted.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type {
  FromReader,
  LongRead,
  ReaderData,
  ReadMessage,
  ReadResult,
  StopReason,
  ToReader,
} from './reader-messages.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';
import { SqliteReads } from './sqlite-reads.ts';

/** Enough for the inner pages; the leaf pages that a search scans would evict everything else anyway. */
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

function answer({ read, args, aborted, limitMs }: ReadMessage): FromReader {
  const endMs = performance.now() + limitMs;
  checkStep = () => {
    if (Atomics.load(aborted, 0) === 1) throw new ReadStopped('aborted');
    if (performance.now() > endMs) throw new ReadStopped('timeout');
  };
  try {
    const run = reads[read].bind(reads) as (...args: readonly unknown[]) => ReadResult<LongRead>;
    return { kind: 'result', result: run(...args) };
  } catch (error) {
    if (error instanceof ReadStopped) return { kind: 'stopped', reason: error.reason };
    const isOurFault = sqliteErrorCode(error) === undefined;
    const reason = error instanceof Error ? error : new Error(String(error));
    const message = isOurFault ? (reason.stack ?? reason.message) : reason.message;
    return { kind: 'failed', message, isOurFault };
  }
}

class ReadStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
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
