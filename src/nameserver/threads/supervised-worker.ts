import type { Worker } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { HeartbeatWatch } from './heartbeats.ts';
import type { SupervisionLimits } from '../nameserver-limits.ts';
import { type BindFailure, describeBindFailure } from '../nameserver-start-error.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * One nameserver thread and its replacements. A crashed thread is replaced at once, then with growing waits if its
 * replacements keep crashing; the other workers are not affected. A hung thread is terminated and replaced in the same
 * way, with new sockets; its replacement also releases the zone memory that it held. This class is also the thread's
 * link to the main thread: it loads the zones the thread requests and writes its log lines.
 */
export class SupervisedWorker {
  private readonly number: number;
  private readonly launch: (addresses: readonly TcpEndpoint[]) => Worker;
  private readonly readHeartbeat: () => number;
  private readonly silence: () => void;
  private readonly renew: () => BindFailure | undefined;
  private readonly onUnrecoverable: (reason: string) => void;
  private readonly loadZone: (zone: string) => Promise<void> | undefined;
  private readonly limits: SupervisionLimits;
  private readonly log: Log;
  private worker: Worker | undefined;
  /** Addresses of the first thread; replacements must use the same ones, also if the system chose the port. */
  private addresses: readonly TcpEndpoint[] = [];
  private stopping = false;
  private successor: NodeJS.Timeout | undefined;
  /** Consecutive crashes and hangs without a steady run between them. */
  private failures = 0;
  private answering = false;
  /** Why the thread was terminated from outside; its sockets are silent then. */
  private endedFor: string | undefined;
  private crashes = 0;
  private hangs = 0;

  constructor(options: {
    readonly number: number;
    /** @param addresses what the first thread reported when it was ready; empty for the first thread itself. */
    launch(addresses: readonly TcpEndpoint[]): Worker;
    /** Returns the thread's heartbeat counter. */
    readHeartbeat(): number;
    /** Called before the thread is terminated: ensures that its sockets do not wake it. */
    silence(): void;
    /** Called before the replacement is launched: makes the sockets receive again. */
    renew(): BindFailure | undefined;
    /** Called if neither this thread nor a replacement can answer any more. */
    onUnrecoverable(reason: string): void;
    loadZone(zone: string): Promise<void> | undefined;
    readonly limits: SupervisionLimits;
    readonly log: Log;
  }) {
    this.number = options.number;
    this.launch = (addresses) => options.launch(addresses);
    this.readHeartbeat = () => options.readHeartbeat();
    this.silence = () => options.silence();
    this.renew = () => options.renew();
    this.onUnrecoverable = (reason) => options.onUnrecoverable(reason);
    this.loadZone = (zone) => options.loadZone(zone);
    this.limits = options.limits;
    this.log = options.log;
  }

  /** Starts the first thread. Once that has succeeded, replacements start by themselves until {@link stop}. */
  async start(): Promise<StartOutcome> {
    const outcome = await this.run();
    if (!outcome.ok) this.stopping = true;
    return outcome;
  }

  /** True while the thread has its sockets open and responds. */
  get isAnswering(): boolean {
    return this.answering;
  }

  /** Number of threads that crashed and were replaced. */
  get fell(): number {
    return this.crashes;
  }

  /** Number of threads that hung and were replaced. */
  get hung(): number {
    return this.hangs;
  }

  /** Lets the thread finish the answers in progress; resolves when it has exited. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.successor);
    const worker = this.worker;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    const exitWaitMs = this.limits.drainMs + this.limits.exitWaitMs;
    const lastResort = setTimeout(() => this.terminate('did not stop by itself'), exitWaitMs);
    await exited;
    clearTimeout(lastResort);
  }

  private terminate(reason: string): void {
    const worker = this.worker;
    if (worker === undefined || this.endedFor !== undefined) return;
    this.log.error({ worker: this.number, reason }, 'terminating nameserver worker');
    this.endedFor = reason;
    this.answering = false;
    this.silence();
    const inVain = setTimeout(() => {
      if (!this.stopping)
        this.onUnrecoverable(`nameserver worker ${this.number} ${reason} and cannot be terminated`);
    }, this.limits.exitWaitMs);
    worker.once('exit', () => clearTimeout(inVain));
    void worker.terminate();
  }

  /** Terminates the thread when its heartbeats stop. */
  private watch(worker: Worker): void {
    const { checkIntervalMs, silentChecks } = this.limits;
    const watch = new HeartbeatWatch(this.readHeartbeat);
    const checking = setInterval(() => {
      if (this.stopping || watch.check() < silentChecks) return;
      this.terminate('hangs');
    }, checkIntervalMs).unref();
    worker.once('exit', () => clearInterval(checking));
  }

  /** Launches a thread; resolves when its sockets are open or opening them has failed. */
  private run(): Promise<StartOutcome> {
    return new Promise((resolve) => {
      const worker = this.launch(this.addresses);
      this.worker = worker;
      const startedMs = performance.now();
      const tooLate = setTimeout(() => this.terminate('did not start in time'), this.limits.startWaitMs);
      let problem: StartOutcome = {
        ok: false,
        sentence: `nameserver worker ${this.number} exited while starting`,
      };
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          clearTimeout(tooLate);
          this.addresses = message.addresses;
          this.answering = true;
          this.watch(worker);
          resolve({ ok: true, addresses: message.addresses });
        } else if (message.kind === 'bind-failure') {
          const { failure } = message;
          problem = { ok: false, sentence: describeBindFailure(failure), failure };
        } else this.attend(worker, message);
      });
      worker.on('error', (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        problem = { ok: false, sentence: `nameserver worker ${this.number} failed: ${text}` };
        this.log.error(
          { worker: this.number, error: error instanceof Error ? error.stack : text },
          'nameserver worker failed',
        );
      });
      worker.on('exit', () => {
        clearTimeout(tooLate);
        this.worker = undefined;
        this.answering = false;
        resolve(problem);
        // A first thread that never became ready is not replaced: `start` has reported it.
        setImmediate(() => this.replace(problem, performance.now() - startedMs));
      });
    });
  }

  private attend(worker: Worker, message: Extract<FromWorker, { kind: 'load' | 'log' }>): void {
    if (message.kind === 'log') {
      this.log[message.level]({ worker: this.number, ...message.fields }, message.message);
      return;
    }
    const done = (): void => worker.postMessage({ kind: 'loaded', zone: message.zone } satisfies ToWorker);
    const failed = (error: unknown): void => {
      const text = error instanceof Error ? error.stack : String(error);
      this.log.error({ zone: message.zone, error: text }, 'loading a zone failed');
      done();
    };
    try {
      const loading = this.loadZone(message.zone);
      if (loading === undefined) done();
      else loading.then(done, failed);
    } catch (error) {
      failed(error);
    }
  }

  private replace(problem: StartOutcome, livedMs: number): void {
    if (this.stopping) return;
    if (livedMs >= this.limits.steadyAfterMs) this.failures = 0;
    const waitMs = backOffMs(this.failures++, this.limits);
    const isHung = this.endedFor !== undefined;
    if (isHung) this.hangs++;
    else this.crashes++;
    const cause = this.endedFor ?? (problem.ok ? '' : problem.sentence);
    const message = `nameserver worker ${isHung ? 'hung' : 'crashed'}; replacing it`;
    this.log.error({ worker: this.number, cause, waitMs }, message);
    this.successor = setTimeout(() => {
      const failure = isHung ? this.renew() : undefined;
      if (failure !== undefined) return this.onUnrecoverable(describeBindFailure(failure));
      this.endedFor = undefined;
      void this.run().then((outcome) => {
        if (outcome.ok) this.log.info({ worker: this.number }, 'nameserver worker replaced');
      });
    }, waitMs);
  }
}

export type StartOutcome =
  | { readonly ok: true; readonly addresses: readonly TcpEndpoint[] }
  | { readonly ok: false; readonly sentence: string; readonly failure?: BindFailure };

/** The wait after the n-th consecutive failure, counted from 0: none, then doubling. */
function backOffMs(failures: number, { firstBackOffMs, longestBackOffMs }: SupervisionLimits): number {
  return failures === 0 ? 0 : Math.min(longestBackOffMs, firstBackOffMs * 2 ** (failures - 1));
}
