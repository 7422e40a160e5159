import type { Worker } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { HeartbeatWatch } from './heartbeats.ts';
import type { SupervisionLimits } from '../nameserver-limits.ts';
import { type BindFailure, describeBindFailure } from '../nameserver-start-error.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * One nameserver thread and its successors. One that falls is replaced at once, and with growing waits while
 * successors keep falling; the other workers aren't touched. One that hangs is ended and then replaced alike, with new
 * sockets: its successor also frees what it held in the memory of zones. Also the thread's link to the main side: zones
 * it asks for are loaded here, its log lines come out here.
 */
export class SupervisedWorker {
  readonly #number: number;
  readonly #launch: (addresses: readonly TcpEndpoint[]) => Worker;
  readonly #readHeartbeat: () => number;
  readonly #silence: () => void;
  readonly #renew: () => BindFailure | undefined;
  readonly #onBeyondRepair: (reason: string) => void;
  readonly #loadZone: (zone: string) => Promise<void> | undefined;
  readonly #limits: SupervisionLimits;
  readonly #log: Log;
  #worker: Worker | undefined;
  /** Where the first thread listens; its successors must too, also when the system chose the port. */
  #addresses: readonly TcpEndpoint[] = [];
  #stopping = false;
  #successor: NodeJS.Timeout | undefined;
  /** Falls in a row, none of which followed a steady life. */
  #falls = 0;
  #isAnswering = false;
  /** Why the thread was ended from outside; its sockets are silent then. */
  #endedFor: string | undefined;
  #fell = 0;
  #hung = 0;

  constructor(options: {
    readonly number: number;
    /** @param addresses what the first thread reported when it was ready; empty for the first itself. */
    launch(addresses: readonly TcpEndpoint[]): Worker;
    /** What the thread has counted up to. */
    readHeartbeat(): number;
    /** Called before the thread is terminated: makes sure that its sockets don't wake it. */
    silence(): void;
    /** Called after that, before a successor is launched: makes its sockets receive again. */
    renew(): BindFailure | undefined;
    /** Called where neither this thread nor a successor can answer any more. */
    onBeyondRepair(reason: string): void;
    loadZone(zone: string): Promise<void> | undefined;
    readonly limits: SupervisionLimits;
    readonly log: Log;
  }) {
    this.#number = options.number;
    this.#launch = (addresses) => options.launch(addresses);
    this.#readHeartbeat = () => options.readHeartbeat();
    this.#silence = () => options.silence();
    this.#renew = () => options.renew();
    this.#onBeyondRepair = (reason) => options.onBeyondRepair(reason);
    this.#loadZone = (zone) => options.loadZone(zone);
    this.#limits = options.limits;
    this.#log = options.log;
  }

  /** Starts the first thread; from success on, successors follow by themselves until {@link stop}. */
  async start(): Promise<StartOutcome> {
    const outcome = await this.#run();
    if (!outcome.ok) this.#stopping = true;
    return outcome;
  }

  /** It has its sockets open, and turns. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Threads that ended by themselves and were replaced. */
  get fell(): number {
    return this.#fell;
  }

  /** Threads that were ended because they hung, and replaced. */
  get hung(): number {
    return this.#hung;
  }

  /** Lets the thread finish what is under way; resolves when it has exited. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#successor);
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    const exitWaitMs = this.#limits.drainMs + this.#limits.exitWaitMs;
    const lastResort = setTimeout(() => this.#terminate('did not stop by itself'), exitWaitMs);
    await exited;
    clearTimeout(lastResort);
  }

  #terminate(reason: string): void {
    const worker = this.#worker;
    if (worker === undefined || this.#endedFor !== undefined) return;
    this.#log.error({ worker: this.#number, reason }, 'nameserver worker is terminated');
    this.#endedFor = reason;
    this.#isAnswering = false;
    this.#silence();
    const inVain = setTimeout(() => {
      if (!this.#stopping)
        this.#onBeyondRepair(`nameserver worker ${this.#number} ${reason}, and cannot be ended`);
    }, this.#limits.exitWaitMs);
    worker.once('exit', () => clearTimeout(inVain));
    void worker.terminate();
  }

  /** Ends the thread when it gives no sign of life. */
  #watch(worker: Worker): void {
    const { lookMs, silentLooks } = this.#limits;
    const watch = new HeartbeatWatch(this.#readHeartbeat);
    const looking = setInterval(() => {
      if (this.#stopping || watch.look() < silentLooks) return;
      this.#terminate('hangs');
    }, lookMs).unref();
    worker.once('exit', () => clearInterval(looking));
  }

  /** Launches a thread; resolves when its sockets are open or when that has failed. */
  #run(): Promise<StartOutcome> {
    return new Promise((resolve) => {
      const worker = this.#launch(this.#addresses);
      this.#worker = worker;
      const startedMs = performance.now();
      const tooLate = setTimeout(() => this.#terminate('did not start in time'), this.#limits.startWaitMs);
      let problem: StartOutcome = {
        ok: false,
        sentence: `nameserver worker ${this.#number} exited while starting`,
      };
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          clearTimeout(tooLate);
          this.#addresses = message.addresses;
          this.#isAnswering = true;
          this.#watch(worker);
          resolve({ ok: true, addresses: message.addresses });
        } else if (message.kind === 'bind-failure') {
          const { failure } = message;
          problem = { ok: false, sentence: describeBindFailure(failure), failure };
        } else this.#attend(worker, message);
      });
      worker.on('error', (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        problem = { ok: false, sentence: `nameserver worker ${this.#number} failed: ${text}` };
        this.#log.error(
          { worker: this.#number, error: error instanceof Error ? error.stack : text },
          'nameserver worker failed',
        );
      });
      worker.on('exit', () => {
        clearTimeout(tooLate);
        this.#worker = undefined;
        this.#isAnswering = false;
        resolve(problem);
        // A first thread that never got ready is the starter's affair: `start` has reported it.
        setImmediate(() => this.#replace(problem, performance.now() - startedMs));
      });
    });
  }

  #attend(worker: Worker, message: Extract<FromWorker, { kind: 'load' | 'log' }>): void {
    if (message.kind === 'log') {
      this.#log[message.level]({ worker: this.#number, ...message.fields }, message.message);
      return;
    }
    const done = (): void => worker.postMessage({ kind: 'loaded', zone: message.zone } satisfies ToWorker);
    const failed = (error: unknown): void => {
      const text = error instanceof Error ? error.stack : String(error);
      this.#log.error({ zone: message.zone, error: text }, 'loading a zone failed');
      done();
    };
    try {
      const loading = this.#loadZone(message.zone);
      if (loading === undefined) done();
      else loading.then(done, failed);
    } catch (error) {
      failed(error);
    }
  }

  #replace(problem: StartOutcome, livedMs: number): void {
    if (this.#stopping) return;
    if (livedMs >= this.#limits.steadyAfterMs) this.#falls = 0;
    const waitMs = backOffMs(this.#falls++, this.#limits);
    const isHung = this.#endedFor !== undefined;
    if (isHung) this.#hung++;
    else this.#fell++;
    const cause = this.#endedFor ?? (problem.ok ? '' : problem.sentence);
    const message = `nameserver worker ${isHung ? 'hung' : 'fell'} and is replaced`;
    this.#log.error({ worker: this.#number, cause, waitMs }, message);
    this.#successor = setTimeout(() => {
      const failure = isHung ? this.#renew() : undefined;
      if (failure !== undefined) return this.#onBeyondRepair(describeBindFailure(failure));
      this.#endedFor = undefined;
      void this.#run().then((outcome) => {
        if (outcome.ok) this.#log.info({ worker: this.#number }, 'nameserver worker replaced');
      });
    }, waitMs);
  }
}

export type StartOutcome =
  | { readonly ok: true; readonly addresses: readonly TcpEndpoint[] }
  | { readonly ok: false; readonly sentence: string; readonly failure?: BindFailure };

/** The wait after the n-th fall in a row, counted from 0: nothing, then doubling. */
function backOffMs(falls: number, { firstBackOffMs, longestBackOffMs }: SupervisionLimits): number {
  return falls === 0 ? 0 : Math.min(longestBackOffMs, firstBackOffMs * 2 ** (falls - 1));
}
