// The follower thread. Owns the connection to the feed and the only connection that writes the copy. Posts the updates of
// every commit to the main thread, and reports to the database which of them the main thread has applied.
//
//   follow the feed into the copy ─▶ the file is damaged ─▶ make a copy beside it ─▶ the main thread swaps them ─▶ follow
//
// Zones are served from the damaged file until the other one holds everything.
import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { openFeedReader } from '../store/postgres/feed-reader.ts';
import { StoreOpenError } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { createCopy, isDamage, CopyBroken, remadePath } from './copy-file.ts';
import { keepId } from './copy-id.ts';
import { breakSeal } from './copy-seal.ts';
import {
  encodeFields,
  encodeUpdates,
  type FollowerData,
  type FollowerProgress,
  type FromFollower,
  type LogLevel,
  type ToFollower,
} from './follower-messages.ts';
import { OpenCopy } from './open-copy.ts';
import { PositionReports, type ReportedDoubt, type ServedPosition } from './position-reports.ts';

/** Messages on their way to the main thread: enough to keep it busy, and some tens of megabytes at most. */
const MAX_UNTAKEN = 4;

/** Pause after a copy could not be made: the disk may be full or failing. */
const REMAKE_RETRY_MS = 5000;

assert(parentPort !== null, 'runs as a worker thread');
const port = parentPort;
const { path, address, nameserver, startedAtMs, isProven, isBroken, ...data } = workerData as FollowerData;
const log: Log = {
  debug: (fields, message) => postLog('debug', fields, message),
  info: (fields, message) => postLog('info', fields, message),
  warn: (fields, message) => postLog('warn', fields, message),
  error: (fields, message) => postLog('error', fields, message),
};

/** Positions of unacknowledged messages, oldest first. */
const untaken: Omit<ServedPosition, 'atMs'>[] = [];
/** The last of them that was acknowledged. */
let taken: Omit<ServedPosition, 'atMs'> | undefined;
/** Zones that the main thread serves in a former version. */
let former: readonly ZoneName[] = [];
let roomFound: (() => void) | undefined;
let swapped: (() => void) | undefined;

const feed = openFeedReader({ address, clock: systemClock, log, onWake: () => open?.follower.wake() });
const reports = new PositionReports(report, noteReportFailure);
let open: OpenCopy | undefined;
/** The copy that the main thread reads; undefined while another one is made. */
let served: OpenCopy | undefined;
let { id } = data;
/** The database knows that this run has begun. */
let isAnnounced = false;
let isAnnouncementDue = true;
let isClosing = false;
let endPause: (() => void) | undefined;

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
      open?.follower.wake();
      return;
    case 'damaged':
      served?.checks.note(message.zone);
      served?.follower.wake();
      return;
    case 'broken':
      served?.breakOff();
      return;
    case 'former':
      former = message.zones;
      noteServed();
      return;
    case 'swapped':
      swapped?.();
      return;
    case 'close':
      void close();
      return;
  }
}

async function run(): Promise<void> {
  let needsRemake = isBroken;
  let isWhole = isProven;
  await tryToAnnounce();
  while (!isClosing) {
    if (needsRemake) isWhole = await remake();
    if (needsRemake && !isWhole) continue;
    needsRemake = false;
    try {
      await follow(isWhole);
    } catch (error) {
      if (!isDamage(error)) throw error;
      log.error({ err: error }, 'the zone copy is damaged; it is served until it has been made again');
      needsRemake = true;
    }
  }
}

/** Resolves after `close`. @throws an error of damage */
async function follow(isWhole: boolean): Promise<void> {
  breakSeal(path);
  const copy = OpenCopy.open({
    path,
    feed,
    isProven: isWhole,
    log,
    publish: (...made) => publish(copy, ...made),
  });
  served = copy;
  await use(copy);
}

/** Returns true when the main thread reads from the copy that was made. */
async function remake(): Promise<boolean> {
  const fresh = remadePath(path);
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${fresh}${suffix}`, { force: true });
    createCopy(fresh);
    const made = { isComplete: false };
    const copy = OpenCopy.open({
      ...{ path: fresh, feed, isProven: true, log },
      publish: async (progress) => {
        await publish(
          undefined,
          { ...progress, seq: 0, phase: progress.phase === 'away' ? 'away' : 'copying', doubt },
          [],
        );
        const { phase, seq, feedSeq, awaited = [] } = progress;
        made.isComplete = phase === 'following' && seq > 0 && seq === feedSeq && awaited.length === 0;
        if (made.isComplete) copy.follower.close();
      },
    });
    await use(copy);
    if (!made.isComplete || isClosing) return false;
    post({ kind: 'remade' });
    await new Promise<void>((resolve) => (swapped = resolve));
    log.info({}, 'the zone copy was made again');
    return true;
  } catch (error) {
    log.error({ err: error }, 'the zone copy could not be made again; retrying');
    await pause();
    return false;
  }
}

/** Waits before the next attempt, or until the copy is closed. */
async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    endPause = resolve;
    setTimeout(resolve, REMAKE_RETRY_MS);
  });
}

const doubt = {
  about: 'all',
  damagedZones: 0,
  isDamage: true,
  reason: 'The zone copy is damaged and has to be made again from the database',
} as const;

async function use(copy: OpenCopy): Promise<void> {
  open = copy;
  try {
    if (isClosing) copy.follower.close();
    copy.writer.putId(id);
    await copy.follower.run();
    if (copy.isBrokenOff && !isClosing) throw new CopyBroken('the zone copy cannot be read');
  } finally {
    open = undefined;
    served = undefined;
    copy.close();
  }
}

async function publish(
  copy: OpenCopy | undefined,
  progress: FollowerProgress,
  updates: readonly ZoneUpdate[],
): Promise<void> {
  if (isAnnouncementDue && progress.phase !== 'away') await tryToAnnounce();
  const about = progress.doubt?.about ?? 'none';
  const domainIds = about === 'some' ? copy?.doubtedIds() : [];
  untaken.push({
    seq: progress.seq,
    digest: copy?.digestAt(progress.seq) ?? null,
    doubt: domainIds === undefined ? { about: 'all', domainIds: [] } : { about, domainIds },
  });
  post({ kind: 'progress', progress, updates: encodeUpdates(updates) });
  if (untaken.length >= MAX_UNTAKEN) await new Promise<void>((resolve) => (roomFound = resolve));
}

function take(): void {
  taken = untaken.shift() ?? taken;
  noteServed();
  roomFound?.();
}

function noteServed(): void {
  if (taken !== undefined)
    reports.note({ ...taken, doubt: withFormer(taken.doubt ?? noDoubt), atMs: systemClock.nowMs() });
}

const noDoubt: ReportedDoubt = { about: 'none', domainIds: [] };

/** Zones that are served in a former version do not count as served. */
function withFormer(own: ReportedDoubt): ReportedDoubt {
  if (former.length === 0 || own.about === 'all') return own;
  const ids = served?.idsOf(former);
  if (ids === undefined) return { about: 'all', domainIds: [] };
  return { about: 'some', domainIds: [...own.domainIds, ...ids] };
}

/** Before queries are answered: until then, what the run before has reported counts. */
async function tryToAnnounce(): Promise<void> {
  isAnnouncementDue = false;
  try {
    await announce();
  } catch (error) {
    // Anything else is noted when the position is reported.
    isAnnouncementDue = error instanceof StoreUnavailable || error instanceof StoreOpenError;
  }
}

async function announce(): Promise<void> {
  if (isAnnounced) return;
  await feed.announce({ id, name: nameserver, startedAtMs });
  isAnnounced = true;
}

async function report({ seq, atMs, digest = null, doubt: doubted }: ServedPosition): Promise<void> {
  await announce();
  const proof = { digest, doubt: doubted?.about ?? 'none', doubtedIds: doubted?.domainIds ?? [] };
  const about = { name: nameserver, startedAtMs, seq, atMs, ...proof };
  if (await feed.report({ ...about, id })) return;
  const sharedId = id;
  id = crypto.randomUUID();
  isAnnounced = false;
  open?.writer.putId(id);
  keepId(path, id);
  log.warn(
    { id: sharedId, newId: id },
    'another nameserver process uses the id of this one (a copied data folder?): this one has a new id now',
  );
  await announce();
  await feed.report({ ...about, id });
}

/** Interrupts requests to the database first, because the follower would wait for them. */
async function close(): Promise<void> {
  isClosing = true;
  endPause?.();
  open?.follower.close();
  swapped?.();
  reports.close();
  await feed.close();
  await running;
  port.close();
}

function postLog(level: LogLevel, fields: object, message: string): void {
  post({ kind: 'log', level, fields: encodeFields(fields), message });
}

function post(message: FromFollower): void {
  port.postMessage(message);
}

/** The follower itself says when the database is away. */
function noteReportFailure(error: unknown): void {
  if (error instanceof StoreUnavailable) return;
  log.error(
    { err: error },
    'the position cannot be reported, so that this nameserver counts as behind; retrying',
  );
}
