// The follower thread. Owns the connection to the feed and the only connection that writes the copy. Posts the updates of
// every commit to the main thread, and reports to the database which of them the main thread has applied.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { openFeedReader } from '../store/postgres/feed-reader.ts';
import { isDamage, markDamaged } from './copy-file.ts';
import { CopyWriter } from './copy-writer.ts';
import {
  encodeFields,
  encodeUpdates,
  type FollowerData,
  type FollowerProgress,
  type FromFollower,
  type LogLevel,
  type ToFollower,
} from './follower-messages.ts';
import { Follower } from './follower.ts';
import { PositionReports, type ServedPosition } from './position-reports.ts';

/** Messages on their way to the main thread: enough to keep it busy, and some tens of megabytes at most. */
const MAX_UNTAKEN = 4;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path, address, nameserver, startedAtMs, ...data } = workerData as FollowerData;
const log: Log = {
  debug: (fields, message) => postLog('debug', fields, message),
  info: (fields, message) => postLog('info', fields, message),
  warn: (fields, message) => postLog('warn', fields, message),
  error: (fields, message) => postLog('error', fields, message),
};

/** The seqs of unacknowledged messages, oldest first. */
const untaken: number[] = [];
let roomFound: (() => void) | undefined;

const copy = new CopyWriter(path);
const feed = openFeedReader({ address, clock: systemClock, log, onWake: () => follower.wake() });
const follower = new Follower({ feed, copy, publish, log });
const reports = new PositionReports(report);
let { id } = data;
let isFirstReport = true;

let running = Promise.resolve();
port.on('message', receive);
post({ kind: 'ready' });

function receive(message: ToFollower): void {
  switch (message.kind) {
    case 'follow':
      running = run();
      return;
    case 'taken':
      take();
      return;
    case 'wake':
      follower.wake();
      return;
    case 'close':
      void close();
      return;
  }
}

async function run(): Promise<void> {
  try {
    await follower.run();
  } catch (error) {
    if (isDamage(error)) markDamaged(path);
    throw error;
  }
}

async function publish(progress: FollowerProgress, updates: readonly ZoneUpdate[]): Promise<void> {
  untaken.push(progress.seq);
  post({ kind: 'progress', progress, updates: encodeUpdates(updates) });
  if (untaken.length >= MAX_UNTAKEN) await new Promise<void>((resolve) => (roomFound = resolve));
}

function take(): void {
  const seq = untaken.shift();
  if (seq !== undefined) reports.note({ seq, atMs: systemClock.nowMs() });
  roomFound?.();
}

async function report({ seq, atMs }: ServedPosition): Promise<void> {
  const about = { name: nameserver, startedAtMs, seq, atMs };
  const isTaken = await feed.report({ ...about, id, isFirst: isFirstReport });
  isFirstReport = false;
  if (isTaken) return;
  const sharedId = id;
  id = copy.drawId();
  log.warn(
    { id: sharedId, newId: id },
    'another nameserver process uses the id of this one (a copied data folder?): this one has a new id now',
  );
  await feed.report({ ...about, id, isFirst: true });
}

/** Interrupts requests to the database first, because the follower would wait for them. */
async function close(): Promise<void> {
  follower.close();
  reports.close();
  await feed.close();
  await running;
  copy.close();
  port.close();
}

function postLog(level: LogLevel, fields: object, message: string): void {
  post({ kind: 'log', level, fields: encodeFields(fields), message });
}

function post(message: FromFollower): void {
  port.postMessage(message);
}
