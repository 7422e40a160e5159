import { entryModule } from '../../base/entry-module.ts';
import { startWorker } from '../../base/start-worker.ts';
import type { Log } from '../../base/log.ts';
import type { AnswerSettings } from '../query/answerer.ts';
import { createHeartbeats } from './heartbeats.ts';
import { defaultLimits, FREE_PORT_ATTEMPTS, type NameserverLimits } from '../nameserver-limits.ts';
import { checkListenAddresses, type ListenAddress } from '../listen-address.ts';
import { type BindFailure, describeBindFailure, NameserverStartError } from '../nameserver-start-error.ts';
import { createQueryCounts, readQueryCounts, type QueryCounts } from '../query/query-counters.ts';
import { createRateTable } from '../query/response-rate-limiter.ts';
import { SupervisedWorker } from './supervised-worker.ts';
import { sumWorkers, type WorkerFigures } from './worker-figures.ts';
import type { HeldSockets } from './held-sockets.ts';
import { type BoundSockets, openSocketSource, type SocketSource } from './socket-source.ts';
import type { WorkerSettings } from './worker-messages.ts';

/**
 * The main-thread side of the nameserver: opens sockets, starts worker threads and keeps them alive.
 *
 *   main thread                               worker threads
 *   UDP descriptors (koffi) ────────────────▶ one socket per address and worker ─▶ answers
 *   supervised workers ◀── load this zone ─── the first worker also serves TCP on all addresses
 *                      ─── loaded ──────────▶ waiting queries ─▶ answers
 *
 * Never reads a packet, the store or the zones.
 */
export interface Nameserver {
  /** The addresses it listens on, in the order requested, with their actual ports. */
  readonly addresses: readonly ListenAddress[];
  /** Totals of all workers since the start. */
  queryCounts(): QueryCounts;
  /** The current workers, and how many earlier ones crashed or hung. */
  workerFigures(): WorkerFigures;
  /** Finishes the answers in progress, then closes all sockets; resolves when every worker has exited. */
  stop(): Promise<void>;
}

const ownAnswerer = new URL('../query/query-pipeline.ts', import.meta.url);

export interface NameserverOptions {
  /** Each address is served over UDP and TCP. Port 0 picks a port that is free for both. */
  readonly addresses: readonly ListenAddress[];
  /**
   * UDP and TCP sockets bound by a supervisor, used instead of `addresses`; they are closed when the nameserver stops.
   */
  readonly descriptors?: readonly number[];
  /** Sockets that this service's parent process holds, used instead of `addresses`. */
  readonly held?: readonly HeldSockets[];
  /** Number of answering threads; always 1 if UDP uses dgram. */
  readonly workers: number;
  /** `auto` uses koffi if it works on this machine. */
  readonly udp: 'auto' | 'koffi' | 'dgram';
  readonly memory: SharedArrayBuffer;
  /**
   * Loads the zone into memory if possible. Queries for it wait until this returns undefined or the returned promise
   * resolves. Called once for all queries that wait in a worker.
   */
  loadZone(name: string): Promise<void> | undefined;
  /** Called if a worker can neither continue nor be replaced, with the reason. Only a new process can recover. */
  onUnrecoverable(reason: string): void;
  readonly log: Log;
  /** Defaults to no cookies, no identifier and no rate limit. */
  readonly answering?: Answering;
  readonly limits?: NameserverLimits;
  /** The module that exports `createAnswerer` (see `entryModule`); defaults to the nameserver's own. */
  readonly answererModule?: URL;
}

/** Properties of answers that do not come from the zones, and their rate limit. */
export interface Answering {
  /** 16 octets. Anyone who knows them can forge client addresses; all nameservers behind one address share them. */
  readonly cookieSecret: Uint8Array;
  /** The answer to NSID and to `id.server` in class CHAOS; empty disables both. */
  readonly identifier: string;
  /** Equal responses per second to one client network over UDP, up to 100,000; 0 disables the limit. */
  readonly responsesPerSecond: number;
}

/** @throws NameserverStartError if an address cannot be bound or a worker cannot start. */
export async function startNameserver(options: NameserverOptions): Promise<Nameserver> {
  if (options.descriptors === undefined && options.held === undefined)
    checkListenAddresses(options.addresses);
  const udp = await openSocketSource(options);
  for (let attempt = 1; ; attempt++) {
    const outcome = await startOnce(options, udp);
    if (outcome.ok) return outcome.nameserver;
    if (attempt === FREE_PORT_ATTEMPTS || !tookUnluckyPort(options.addresses, outcome.failure))
      throw new NameserverStartError(outcome.sentence);
  }
}

type StartAttempt =
  | { readonly ok: true; readonly nameserver: Nameserver }
  | { readonly ok: false; readonly sentence: string; readonly failure?: BindFailure | undefined };

async function startOnce(options: NameserverOptions, udp: SocketSource): Promise<StartAttempt> {
  const bound = takeSockets(options, udp);
  if (!bound.ok) return { ok: false, sentence: describeBindFailure(bound.failure), failure: bound.failure };
  const answers = answerSettings(options);
  const queryCounts = createQueryCounts(bound.workers.length);
  const heartbeats = createHeartbeats(bound.workers.length);
  const workers = bound.workers.map((udpSettings, number) =>
    superviseWorker(options, number, bound, {
      memory: options.memory,
      reader: number,
      answererModule: entryModule(options.answererModule ?? ownAnswerer).href,
      answers,
      queryCounts,
      heartbeats,
      udp: udpSettings,
      tcp: number === 0 ? bound.tcp : [],
      limits: options.limits ?? defaultLimits,
    }),
  );
  // If the process exits without stopping the nameserver, its threads are ended from outside.
  const silenceAll = (): void => bound.workers.forEach((_, number) => bound.silence(number));
  process.on('exit', silenceAll);
  const stop = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()));
    process.off('exit', silenceAll);
    bound.close();
  };
  const outcomes = await Promise.all(workers.map((worker) => worker.start()));
  for (const outcome of outcomes) {
    if (outcome.ok) continue;
    await stop();
    return outcome;
  }
  const endpoints = outcomes.flatMap((outcome) => (outcome.ok ? outcome.addresses : []));
  return {
    ok: true,
    nameserver: {
      addresses: endpoints.map(({ host, port }) => ({ host, port })),
      queryCounts: () => readQueryCounts(queryCounts),
      workerFigures: () => sumWorkers(workers),
      stop,
    },
  };
}

function takeSockets(
  { addresses, descriptors, held }: NameserverOptions,
  source: SocketSource,
): BoundSockets {
  if (held !== undefined) return source.takeHeld(held);
  return descriptors === undefined ? source.bind(addresses) : source.adopt(descriptors);
}

/** All workers share one rate table, which survives a crashed worker. */
function answerSettings({
  answering,
  limits = defaultLimits,
}: NameserverOptions): AnswerSettings | undefined {
  if (answering === undefined) return undefined;
  const { cookieSecret, identifier, responsesPerSecond: perSecond } = answering;
  return {
    cookieSecret,
    identifier,
    rateLimit: perSecond === 0 ? undefined : { perSecond, table: createRateTable() },
    tcpIdleMs: limits.tcp.idleMs,
  };
}

function superviseWorker(
  options: NameserverOptions,
  number: number,
  bound: Extract<BoundSockets, { ok: true }>,
  settings: WorkerSettings,
): SupervisedWorker {
  return new SupervisedWorker({
    number,
    launch: (addresses) => {
      const workerData = addresses.length === 0 ? settings : { ...settings, tcp: addresses };
      return startWorker(new URL('./nameserver-worker.ts', import.meta.url), { workerData });
    },
    readHeartbeat: () => Atomics.load(settings.heartbeats, number),
    silence: () => bound.silence(number),
    renew: () => bound.renew(number),
    onUnrecoverable: (reason) => options.onUnrecoverable(reason),
    loadZone: (zone) => options.loadZone(zone),
    limits: settings.limits.supervision,
    log: options.log,
  });
}

/** True if the port that the system chose for one protocol was taken for the other. */
function tookUnluckyPort(addresses: readonly ListenAddress[], failure: BindFailure | undefined): boolean {
  if (failure?.code !== 'EADDRINUSE') return false;
  return addresses.some(({ host, port }) => host === failure.host && port === 0);
}
