import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type { Answerer, CreateAnswerer } from '../query/answerer.ts';
import { DropLog } from '../drop-log.ts';
import { startHeartbeat } from './heartbeats.ts';
import { QueryCounters } from '../query/query-counters.ts';
import { GuardedAnswerer } from '../query/guarded-answerer.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';
import { BindError, WorkerSockets } from './worker-sockets.ts';

/**
 * A nameserver thread: opens its sockets, answers until it is told to stop, finishes the answers in progress and exits
 * by itself. It sees only packets and shared memory; zones that are not in memory are requested from the main thread.
 */

/** Faults logged with their stack traces; enough to tell two faults apart. */
const FAULTS_REPORTED = 10;

assert(parentPort !== null, 'nameserver-worker runs as a worker thread');
const port = parentPort;
await run(workerData as WorkerSettings);

async function run(settings: WorkerSettings): Promise<void> {
  const drops = new DropLog((counts) => log('warn', counts, 'nameserver dropped traffic'));
  const answerer = new GuardedAnswerer({
    answerer: await loadAnswerer(settings),
    requestLoad: (zone) => post({ kind: 'load', zone }),
    onFault: faultReporter(drops),
    limits: settings.limits.pending,
  });
  const sockets = await openSockets(settings, answerer, drops);
  if (sockets === undefined) return;
  const close = (): void => {
    sockets.close();
    drops.flush();
    port.close();
  };
  // However this thread ends, poll handles must be closed before the event loop is torn down.
  process.on('exit', close);
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'loaded') answerer.zoneLoaded(message.zone);
    else void finishWithin(settings.limits.supervision.drainMs, sockets).then(close);
  });
  startHeartbeat(settings.heartbeats, settings.reader, settings.limits.supervision.heartbeatMs);
  post({ kind: 'ready', addresses: sockets.addresses });
}

async function loadAnswerer(settings: WorkerSettings): Promise<Answerer> {
  const { answererModule, memory, reader, answers, queryCounts } = settings;
  const module = (await import(answererModule)) as { createAnswerer: CreateAnswerer };
  const answerer = module.createAnswerer({
    memory,
    reader,
    settings: answers,
    counters: new QueryCounters(queryCounts, reader),
  });
  // A predecessor may have crashed inside a run; this marks its reader place as free for reclaiming memory.
  answerer.enter(Date.now());
  answerer.leave();
  return answerer;
}

/**
 * Returns undefined if a socket cannot be opened: the main thread has been informed, and nothing keeps this thread
 * alive.
 */
async function openSockets(
  settings: WorkerSettings,
  answerer: GuardedAnswerer,
  drops: DropLog,
): Promise<WorkerSockets | undefined> {
  try {
    return await WorkerSockets.open(settings, answerer, drops);
  } catch (error) {
    if (!(error instanceof BindError)) throw error;
    post({ kind: 'bind-failure', failure: error.failure });
    return undefined;
  }
}

async function finishWithin(drainMs: number, sockets: WorkerSockets): Promise<void> {
  let deadline: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (deadline = setTimeout(resolve, drainMs)));
  await Promise.race([sockets.finish(), tooLate]);
  clearTimeout(deadline);
}

/** Logs the first faults in full, then only counts them: a packet that triggers a fault comes in thousands. */
function faultReporter(drops: DropLog): (error: unknown) => void {
  let reported = 0;
  return (error) => {
    drops.count('queries answered SERVFAIL because of an internal error');
    if (reported++ >= FAULTS_REPORTED) return;
    const stack = error instanceof Error ? error.stack : String(error);
    log('error', { error: stack }, 'answering a query failed');
  };
}

function log(level: 'info' | 'warn' | 'error', fields: object, message: string): void {
  post({ kind: 'log', level, fields, message });
}

function post(message: FromWorker): void {
  port.postMessage(message);
}
