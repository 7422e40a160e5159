// The thread of `LogMover`.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type { FromLogMover, LogMoverData, ToLogMover } from './log-mover-messages.ts';
import { openDatabase } from './sqlite-driver.ts';

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path } = workerData as LogMoverData;
const database = openDatabase(path);
// The log must be on the disk before the file is changed, and the file before the log is used again.
database.exec('PRAGMA synchronous = FULL');

port.on('message', ({ kind }: ToLogMover) => {
  if (kind === 'move') post({ kind: 'moved', failure: move() });
  else {
    database.close();
    port.close();
  }
});
post({ kind: 'ready' });

/** PASSIVE waits for nobody, and nobody waits for it. */
function move(): string | null {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function post(message: FromLogMover): void {
  port.postMessage(message);
}
