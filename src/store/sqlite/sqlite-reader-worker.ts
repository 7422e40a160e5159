// A reader thread: looks through many rows, one read after the other, while the main thread does everything else. Its
// connection cannot write, and sees all that is committed when a read begins.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type { FromReader, ReaderData, ReadResult, LongRead, ToReader } from './reader-messages.ts';
import { openDatabase, sqliteErrorCode } from './sqlite-driver.ts';
import { SqliteReads } from './sqlite-reads.ts';

/** Inner pages, and no more: what a search passes over would throw out anything else. */
const READER_CACHE_KIB = 8 * 1024;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path } = workerData as ReaderData;
const database = openDatabase(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
const reads = new SqliteReads(database);

port.on('message', (message: ToReader) => {
  if (message.kind === 'close') close();
  else post(answer(message));
});
post({ kind: 'ready' });

function answer({ read, args }: Extract<ToReader, { readonly kind: 'read' }>): FromReader {
  try {
    const run = reads[read].bind(reads) as (...args: readonly unknown[]) => ReadResult<LongRead>;
    return { kind: 'result', result: run(...args) };
  } catch (error) {
    const isOurFault = sqliteErrorCode(error) === undefined;
    const reason = error instanceof Error ? error : new Error(String(error));
    const message = isOurFault ? (reason.stack ?? reason.message) : reason.message;
    return { kind: 'failed', message, isOurFault };
  }
}

function close(): void {
  database.close();
  port.close();
}

function post(message: FromReader): void {
  port.postMessage(message);
}
