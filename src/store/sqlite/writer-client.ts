import type { Log } from '../../base/log.ts';
import { StepsInOrder, type Steps } from '../../base/steps.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { StoreObserver } from '../store-observer.ts';
import { WriteQueue, type QueuedWrite } from '../../writes/write-queue.ts';
import {
  decodeResults,
  encodeCommands,
  type FromWriter,
  type EncodedMessage,
  type ToWriter,
  type WriterData,
} from './writer-messages.ts';
import type { UpkeepPlan } from '../deletion-time.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

interface WriterClientOptions {
  readonly path: string;
  /** Called with the updates of each batch, before its callers are answered. Must not throw. */
  readonly onUpdates: (updates: readonly ZoneUpdate[]) => void;
  readonly log: Log;
  readonly observer: StoreObserver;
}

/** An imported zone lives for a second, as a million objects: with the default they are all copied twice. */
const YOUNG_GENERATION_MB = 192;

/**
 * The main thread's end of the writer thread. Collects the commands of one turn of the event loop into one message, and
 * passes the results of each batch to the listener first, then to the callers. Decides nothing itself.
 */
export class WriterClient {
  private readonly thread: WorkerThread<ToWriter, FromWriter>;
  private readonly log: Log;
  private readonly onUpdates: (updates: readonly ZoneUpdate[]) => void;
  private readonly observer: StoreObserver;
  private readonly queue = new WriteQueue();
  /** Oldest first. */
  private readonly sent: QueuedWrite[] = [];
  /** Whole zones are encoded and decoded in steps. */
  private readonly sending = new StepsInOrder();
  private readonly settling = new StepsInOrder();
  /** Callbacks waiting for the log to be shortened; oldest first. */
  private readonly shortening: (() => void)[] = [];
  /** Callbacks waiting for the end of upkeep; oldest first. */
  private readonly tidying: (() => void)[] = [];
  private state: 'open' | 'closing' | 'ended' = 'open';

  private constructor(
    thread: WorkerThread<ToWriter, FromWriter>,
    { onUpdates, log, observer }: WriterClientOptions,
  ) {
    this.thread = thread;
    this.onUpdates = onUpdates;
    this.log = log;
    this.observer = observer;
    thread.listen(
      (message) => this.receive(message),
      (wasAsked) => this.end(wasAsked),
    );
  }

  /** Resolves when the writer has opened its connection. */
  static async start(options: WriterClientOptions): Promise<WriterClient> {
    const workerData: WriterData = { path: options.path };
    const thread = await WorkerThread.start<ToWriter, FromWriter>({
      module: new URL('./sqlite-writer-worker.ts', import.meta.url),
      name: 'writer',
      log: options.log,
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    return new WriterClient(thread, options);
  }

  /** Number of commands that are not answered yet. */
  get queueLength(): number {
    return this.queue.length;
  }

  write(command: Command): Promise<CommandResult<Command>> {
    if (this.state !== 'open')
      return refuse(`the store is ${this.state === 'closing' ? 'closing' : 'closed'}`);
    if (this.queue.waitingCount === 0) setImmediate(() => this.send());
    return this.queue.add(command);
  }

  /** Makes the writer keep the time and remove expired data. Resolves when it has ended a run. Never rejects. */
  runUpkeep(plan: UpkeepPlan, wallMs: number): Promise<void> {
    if (this.state !== 'open') return Promise.resolve();
    this.thread.post({ kind: 'upkeep', plan, wallMs });
    return new Promise((resolve) => this.tidying.push(resolve));
  }

  /** Resolves when everything that no reader needs has been moved out of the log. Never rejects. */
  shortenLog(): Promise<void> {
    if (this.state !== 'open') return Promise.resolve();
    this.thread.post({ kind: 'shortenLog' });
    return new Promise((resolve) => this.shortening.push(resolve));
  }

  /** Answers what is queued, then ends the thread. */
  async close(): Promise<void> {
    if (this.state === 'open') {
      this.state = 'closing';
      this.send();
    }
    await this.sending.finish();
    await this.thread.close({ kind: 'close' });
    await this.settling.finish();
  }

  private send(): void {
    if (this.queue.waitingCount === 0 || this.state === 'ended') return;
    this.sending.add(this.sendInSteps(this.queue.take(Infinity)));
  }

  private *sendInSteps(taken: readonly QueuedWrite[]): Steps<void> {
    this.sent.push(...taken);
    const encoded = yield* encodeCommands(taken.map(({ command }) => command));
    this.thread.post({ kind: 'commands', encoded });
  }

  private receive(message: FromWriter): void {
    if (message.kind === 'results') this.settling.add(this.settleInSteps(message.encoded, message.commitMs));
    else if (message.kind === 'logShortened') this.shortening.shift()?.();
    else if (message.kind === 'upkeepEnded') endWaits(this.tidying, message.requests);
    else if (message.kind === 'trouble') this.log.warn(message, 'work on the writer thread failed');
  }

  private *settleInSteps(encoded: EncodedMessage, commitMs: number): Steps<void> {
    const { results, updates } = yield* decodeResults(encoded, (index) => this.sent[index]?.command);
    const answered = this.sent.splice(0, results.length);
    const lost = results.find(({ kind }) => kind === 'unavailable');
    if (lost !== undefined) this.log.error(lost, 'a batch of writes could not be committed');
    else this.observer.batchCommitted(results.length, commitMs);
    if (updates.length > 0) this.onUpdates(updates);
    for (const [index, write] of answered.entries()) this.queue.answer(write, results[index]);
  }

  /**
   * If the thread ends unexpectedly (a bug), it cannot be known whether pending commands were committed. They are therefore
   * not answered: the process exits, and its clients see their connections close and retry.
   */
  private end(wasAsked: boolean): void {
    this.state = 'ended';
    endWaits(this.shortening);
    endWaits(this.tidying);
    if (!wasAsked) throw new Error('the writer thread ended unexpectedly');
  }
}

function endWaits(waiting: (() => void)[], count = waiting.length): void {
  for (const resolve of waiting.splice(0, count)) resolve();
}

function refuse(reason: string): Promise<never> {
  return Promise.reject(new StoreUnavailable(reason));
}
