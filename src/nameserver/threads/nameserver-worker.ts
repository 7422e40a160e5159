import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type { Answerer, CreateAnswerer } from '../query/guarded-answerer.ts';
import { DropLog } from '../drop-log.ts';
import { startHeartbeat } from './heartbeats.ts';
import { QueryCounters } from '../query/query-counters.ts';
import { Responder } from '../query/responder.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';
import { BindError, WorkerSockets } from './worker-sockets.ts';

/**
 * A nameserver thread: opens its sockets, answers until told to stop, finishes what is under way and exits by itself.
 * Sees nothing but packets and the shared memory; zones that aren't there are asked of the main thread.
 */

/** Each with its stack; enough to tell two faults apart. */
const FAULTS_REPORTED = 10;

assert(parentPort !== null, 'nameserver-worker runs as a worker thread');
const port = parentPort;
await run(workerData as WorkerSettings);

async function run(settings: WorkerSettings): Promise<void> {
  const drops = new DropLog((counts) => log('warn', counts, 'nameserver dropped traffic'));
  const responder = new Responder({
    answerer: await loadAnswerer(settings),
    requestLoad: (zone) => post({ kind: 'load', zone }),
    onFault: faultReporter(drops),
    limits: settings.limits.pending,
  });
  const sockets = await openSockets(settings, responder, drops);
  if (sockets === undefined) return;
  const close = (): void => {
    sockets.close();
    drops.flush();
    port.close();
  };
  // Whatever ends this thread: poll handles must be closed before the event loop is torn down.
  process.on('exit', close);
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'loaded') responder.zoneLoaded(message.zone);
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
  // A predecessor may have fallen inside a run; this tells whoever reclaims memory that the place is free again.
  answerer.enter(Date.now());
  answerer.leave();
  return answerer;
}

/** Undefined when one can't be opened: the main thread has been told, and nothing keeps this one alive. */
async function openSockets(
  settings: WorkerSettings,
  responder: Responder,
  drops: DropLog,
): Promise<WorkerSockets | undefined> {
  try {
    return await WorkerSockets.open(settings, responder, drops);
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

/** Some lines in full, then only counts: a packet that finds a fault comes in thousands. */
function faultReporter(drops: DropLog): (error: unknown) => void {
  let reported = 0;
  return (error) => {
    drops.count('queries answered SERVFAIL because of a fault in the answer path');
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
