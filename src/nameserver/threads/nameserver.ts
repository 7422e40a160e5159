import { startWorker } from '../../base/start-worker.ts';
import type { Log } from '../../base/log.ts';
import type { AnswerSettings } from '../query/guarded-answerer.ts';
import { createHeartbeats } from './heartbeats.ts';
import { defaultLimits, FREE_PORT_ATTEMPTS, type NameserverLimits } from '../nameserver-limits.ts';
import {
  type BindFailure,
  checkListenAddresses,
  describeBindFailure,
  type ListenAddress,
  NameserverStartError,
} from '../nameserver-start-error.ts';
import { createQueryCounts, readQueryCounts, type QueryCounts } from '../query/query-counters.ts';
import { createRateTable } from '../query/response-rate-limiter.ts';
import { SupervisedWorker } from './supervised-worker.ts';
import { sumWorkers, type WorkerFigures } from './worker-figures.ts';
import { type BoundSockets, openSocketSource, type SocketSource } from './socket-source.ts';
import type { WorkerSettings } from './worker-messages.ts';

/**
 * The nameserver's main side: opens sockets, starts worker threads and keeps them alive.
 *
 *   main thread                               worker threads
 *   UDP descriptors (koffi) ────────────────▶ each its own socket per address ─▶ answers
 *   supervised workers ◀── load this zone ─── first one also: TCP on all addresses
 *                      ─── loaded ──────────▶ waiting queries ─▶ answers
 *
 * Never reads a packet, the store or the zones.
 */
export interface Nameserver {
  /** Where it listens, in the order asked for, with the real ports. */
  readonly addresses: readonly ListenAddress[];
  /** What all workers have done since the start. */
  queryCounts(): QueryCounts;
  /** Which workers there are, and what became of earlier ones. */
  workerFigures(): WorkerFigures;
  /** Answers what is under way, then closes all sockets; resolves when every worker has exited. */
  stop(): Promise<void>;
}

export interface NameserverOptions {
  /** Each is served over UDP and TCP. Port 0 takes one that is free for both. */
  readonly addresses: readonly ListenAddress[];
  /** Sockets that a supervisor has bound, UDP and TCP, in the place of `addresses`; closed when this one stops. */
  readonly descriptors?: readonly number[];
  /** Threads that answer; 1 where UDP runs over dgram. */
  readonly workers: number;
  /** `auto`: koffi where it works. */
  readonly udp: 'auto' | 'koffi' | 'dgram';
  readonly memory: SharedArrayBuffer;
  /**
   * Puts the zone into memory if it can; queries for it wait until it returns undefined or what it returned resolves.
   * Called once for all queries that wait in a worker.
   */
  loadZone(name: string): Promise<void> | undefined;
  /** A worker can neither go on nor be replaced, for the reason given: only a new process mends that. */
  onBeyondRepair(reason: string): void;
  readonly log: Log;
  /** Left out: no cookies, no identifier, any number of responses. */
  readonly answering?: Answering;
  readonly limits?: NameserverLimits;
  /** The module that exports `createAnswerer`; by default the nameserver's own. */
  readonly answererModule?: URL;
}

/** What answers hold, and how many go out, beside what the zones say. */
export interface Answering {
  /** 16 octets: who knows them can ask in anybody's name. The same in all nameservers behind one address. */
  readonly cookieSecret: Uint8Array;
  /** What NSID, and `id.server` in class CHAOS, are answered with; empty: they aren't. */
  readonly identifier: string;
  /** Equal responses a second for one client's network over UDP, up to 100,000; 0: any number. */
  readonly responsesPerSecond: number;
}

/** @throws NameserverStartError when an address can't be listened on or a worker can't start. */
export async function startNameserver(options: NameserverOptions): Promise<Nameserver> {
  if (options.descriptors === undefined) checkListenAddresses(options.addresses);
  const udp = await openSocketSource(options);
  for (let attempt = 1; ; attempt++) {
    const outcome = await startOnce(options, udp);
    if (outcome.ok) return outcome.nameserver;
    if (attempt === FREE_PORT_ATTEMPTS || !tookUnluckyPort(options.addresses, outcome.failure))
      throw new NameserverStartError(outcome.sentence);
  }
}

type Outcome =
  | { readonly ok: true; readonly nameserver: Nameserver }
  | { readonly ok: false; readonly sentence: string; readonly failure?: BindFailure | undefined };

async function startOnce(options: NameserverOptions, udp: SocketSource): Promise<Outcome> {
  const { addresses, descriptors } = options;
  const bound = descriptors === undefined ? udp.bind(addresses) : udp.adopt(descriptors);
  if (!bound.ok) return { ok: false, sentence: describeBindFailure(bound.failure), failure: bound.failure };
  const answers = answerSettings(options);
  const queryCounts = createQueryCounts(bound.workers.length);
  const heartbeats = createHeartbeats(bound.workers.length);
  const workers = bound.workers.map((udpSettings, number) =>
    superviseWorker(options, number, bound, {
      memory: options.memory,
      reader: number,
      answererModule: (options.answererModule ?? ownAnswererModule()).href,
      answers,
      queryCounts,
      heartbeats,
      udp: udpSettings,
      tcp: number === 0 ? bound.tcp : [],
      limits: options.limits ?? defaultLimits,
    }),
  );
  // A process that exits without stopping the nameserver ends its threads from outside.
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

/** The table of rates is one for all workers, and stays when one falls. */
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
    onBeyondRepair: (reason) => options.onBeyondRepair(reason),
    loadZone: (zone) => options.loadZone(zone),
    limits: settings.limits.supervision,
    log: options.log,
  });
}

/** Beside this file, as source or as built code. */
function ownAnswererModule(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? '../query/query-pipeline.ts' : '../query/query-pipeline.js',
    import.meta.url,
  );
}

/** The system's choice for one protocol was taken for the other. */
function tookUnluckyPort(addresses: readonly ListenAddress[], failure: BindFailure | undefined): boolean {
  if (failure?.code !== 'EADDRINUSE') return false;
  return addresses.some(({ host, port }) => host === failure.host && port === 0);
}
