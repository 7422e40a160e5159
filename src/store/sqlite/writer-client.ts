import type { Log } from '../../base/log.ts';
import { StepsInOrder, type Steps } from '../../base/steps.ts';
import { WorkerThread } from '../../base/worker-thread.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { LogMover } from './log-mover.ts';
import { PreparedWrites } from './prepared-writes.ts';
import type { StagedWrite } from './preparing-messages.ts';
import type { TakenWrite } from './preparing-threads.ts';
import { signingMoment, type SigningClock, type SigningSettings } from '../signing-settings.ts';
import type { StoreObserver } from '../store-observer.ts';
import { ServedAnswers, whenServed, type ServedWrites } from '../after-commit.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import { costOf, type CommandWeight } from '../../writes/command-weight.ts';
import { WriteQueue, type CommandReply, type QueuedWrite } from '../../writes/write-queue.ts';
import { encodeCommand } from '../threads/command-messages.ts';
import { FULL_MESSAGE_CHARACTERS, PieceSender } from '../threads/packed-list.ts';
import { decodeResults } from '../threads/result-messages.ts';
import { threadHeaps } from '../threads/thread-heaps.ts';
import {
  joinTexts,
  type FromWriter,
  type ResultsMessage,
  type ToWriter,
  type WriterData,
} from './writer-messages.ts';
import type { UpkeepPlan } from '../deletion-time.ts';
import { WriteHealth } from '../write-health.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

interface WriterClientOptions extends SigningClock {
  readonly path: string;
  /** Undefined: the callers of a batch are answered at once. */
  readonly served?: ServedWrites | undefined;
  readonly log: Log;
  readonly observer: StoreObserver;
  readonly quotas?: Quotas | undefined;
  readonly dnssec?: SigningSettings | undefined;
  readonly workMemoryBytes?: number | undefined;
}

/** The most commands at the writer thread: while it commits one batch, the next one is there. */
const MAX_SENT_COMMANDS = 512;

/** The most cost at the writer thread: some 40 ms of work, for which the command of another account waits. */
const MAX_SENT_COST = 2 * 1024 * 1024;

/**
 * The main thread's end of the writer thread. Collects the commands of one turn of the event loop into one message, and
 * answers the callers of a batch when its changes are served. Decides nothing itself.
 */
export class WriterClient {
  private readonly thread: WorkerThread<ToWriter, FromWriter>;
  private readonly clock: SigningClock;
  private readonly log: Log;
  private readonly served: ServedWrites | undefined;
  private readonly observer: StoreObserver;
  private readonly queue = new WriteQueue();
  readonly health = new WriteHealth();
  /** Oldest first. */
  private readonly sent: QueuedWrite[] = [];
  private readonly pieces = new PieceSender((text) => this.thread.post({ kind: 'piece', text }));
  private sentCount = 0;
  private sentCost = 0;
  private isSending = false;
  private whenAnswered: (() => void) | undefined;
  /** Pieces of the next results. */
  private received: string[] = [];
  /** Whole zones are encoded and decoded in steps. */
  private readonly sending = new StepsInOrder();
  private readonly settling = new StepsInOrder();
  private readonly logMover: LogMover;
  private readonly prepared: PreparedWrites;
  private readonly answers: ServedAnswers;
  /** Callbacks waiting for the log to be shortened; oldest first. */
  private readonly shortening: (() => void)[] = [];
  /** Callbacks waiting for the end of upkeep; oldest first. */
  private readonly tidying: (() => void)[] = [];
  private state: 'open' | 'closing' | 'ended' = 'open';

  private constructor(
    thread: WorkerThread<ToWriter, FromWriter>,
    { path, served, clock, findClockFault, log, observer }: WriterClientOptions,
  ) {
    this.thread = thread;
    this.served = served;
    this.clock = { clock, findClockFault };
    this.answers = new ServedAnswers(served, (write, reply) => this.answer(write, reply));
    this.logMover = new LogMover(path, log);
    this.prepared = new PreparedWrites(
      (message) => thread.post(message),
      () => this.logMover.move(),
    );
    this.log = log;
    this.observer = observer;
    thread.listen(
      (message) => this.receive(message),
      (wasAsked) => this.end(wasAsked),
    );
  }

  /** Resolves when the writer has opened its connection. */
  static async start(options: WriterClientOptions): Promise<WriterClient> {
    const { path, quotas, served, dnssec } = options;
    const workerData: WriterData = { path, quotas, dnssec, wakePath: served?.wakePath };
    const thread = await WorkerThread.start<ToWriter, FromWriter>({
      module: new URL('./sqlite-writer-worker.ts', import.meta.url),
      name: 'writer',
      log: options.log,
      workerData,
      resourceLimits: threadHeaps(options.workMemoryBytes).writer,
    });
    return new WriterClient(thread, options);
  }

  /** Number of commands that are not answered yet. */
  get queueLength(): number {
    return this.queue.length;
  }

  write(command: Command, weight: CommandWeight): Promise<CommandResult<Command>> {
    if (this.state !== 'open')
      return refuse(`the store is ${this.state === 'closing' ? 'closing' : 'closed'}`);
    this.sendSoon();
    return this.queue.add(command, weight);
  }

  /** See `PreparedWriter`. */
  async takeOver(staged: StagedWrite, command: Command): Promise<TakenWrite> {
    if (this.state !== 'open') return { kind: 'unavailable', message: 'the store is closing' };
    const { reply, lastSeq, commitMs } = await this.prepared.takeOver(staged);
    if (reply.kind === 'unavailable') this.health.failed(reply.message);
    if (reply.kind !== 'written') return reply;
    this.health.worked();
    this.observer.batchCommitted(1, commitMs);
    const served = lastSeq === null ? Promise.resolve() : whenServed(this.served, command, lastSeq);
    return { kind: 'written', served };
  }

  /** See `PreparedWriter`. */
  reserveDomainId(): Promise<number> {
    return this.state === 'open' ? this.prepared.reserveDomainId() : refuse('the store is closing');
  }

  /** Makes the writer keep the time and remove expired data. Resolves when it has ended a run. Never rejects. */
  runUpkeep(plan: UpkeepPlan, wallMs: number): Promise<void> {
    if (this.state !== 'open') return Promise.resolve();
    this.thread.post({ kind: 'upkeep', plan, wallMs });
    return new Promise((resolve) => this.tidying.push(resolve));
  }

  /**
   * Resolves when everything that no reader needs has been moved out of the log. The writer moves only what has been added
   * while another thread moved the rest. Never rejects.
   */
  async shortenLog(): Promise<void> {
    await this.logMover.move();
    if (this.state !== 'open') return;
    this.thread.post({ kind: 'shortenLog' });
    await new Promise<void>((resolve) => this.shortening.push(resolve));
  }

  /** Answers what is queued, then ends the thread. */
  async close(): Promise<void> {
    if (this.state === 'open') {
      this.state = 'closing';
      this.send();
    }
    if (this.queue.length > 0) await new Promise<void>((resolve) => (this.whenAnswered = resolve));
    await this.logMover.close();
    await this.thread.close({ kind: 'close' });
    await this.settling.finish();
  }

  /** The commands of one turn of the event loop are sent together. */
  private sendSoon(): void {
    if (this.isSending) return;
    this.isSending = true;
    setImmediate(() => this.send());
  }

  private send(): void {
    this.isSending = false;
    if (this.queue.waitingCount === 0 || this.state === 'ended') return;
    if (this.sentCount >= MAX_SENT_COMMANDS || this.sentCost >= MAX_SENT_COST) return;
    const taken = this.queue.take(MAX_SENT_COMMANDS - this.sentCount, MAX_SENT_COST - this.sentCost);
    this.sentCount += taken.length;
    for (const { weight } of taken) this.sentCost += costOf(weight);
    this.sending.add(this.sendInSteps(taken));
  }

  /** The writer thread has nothing more to do for the write. */
  private release(write: QueuedWrite): void {
    this.sentCount--;
    this.sentCost -= costOf(write.weight);
  }

  private *sendInSteps(taken: readonly QueuedWrite[]): Steps<void> {
    let texts: string[] = [];
    let characters = 0;
    const flush = (): void => {
      if (texts.length > 0) {
        const moment = signingMoment(this.clock);
        this.thread.post({ kind: 'commands', text: joinTexts(texts), count: texts.length, moment });
      }
      this.pieces.endMessage();
      texts = [];
      characters = 0;
    };
    for (const write of taken) {
      if (characters >= FULL_MESSAGE_CHARACTERS) flush();
      try {
        const text = yield* encodeCommand(write.command, this.pieces);
        texts.push(text);
        characters += text.length;
        this.sent.push(write);
      } catch (error) {
        this.release(write);
        this.answer(write, { kind: 'failed', message: String(error) });
      }
    }
    flush();
  }

  private receive(message: FromWriter): void {
    if (message.kind === 'piece') this.received.push(message.text);
    else if (message.kind === 'results') this.settle(message);
    else if (message.kind === 'takenOver' || message.kind === 'reserved') this.prepared.receive(message);
    else if (message.kind === 'logShortened') this.shortening.shift()?.();
    else if (message.kind === 'upkeepEnded') this.endUpkeep(message.requests, message.error);
    else if (message.kind === 'trouble') this.log.warn(message, 'work on the writer thread failed');
  }

  private endUpkeep(requests: number, error: string | null): void {
    if (error !== null) {
      if (error !== this.health.failure) this.log.warn({ reason: error }, 'upkeep failed');
      this.health.failed(error);
    } else if (requests > 0) this.health.worked();
    endWaits(this.tidying, requests);
  }

  private settle(message: ResultsMessage): void {
    const pieces = this.received;
    this.received = [];
    this.settling.add(this.settleInSteps(message, pieces));
  }

  private *settleInSteps({ results, lastSeq, batch }: ResultsMessage, pieces: string[]): Steps<void> {
    const replies = yield* decodeResults(results, pieces, (index) => this.sent[index]?.command);
    const answered = this.sent.splice(0, replies.length);
    this.prepared.noteOthers();
    const lost = replies.find(({ kind }) => kind === 'unavailable' || kind === 'unknown');
    if (lost !== undefined) this.log.error(lost, 'a batch of writes could not be committed or answered');
    if (lost?.kind === 'unavailable') this.health.failed(lost.message);
    if (batch !== undefined && lost?.kind !== 'unavailable')
      this.observer.batchCommitted(batch.commands, batch.commitMs);
    if (replies.some(hasWritten)) this.health.worked();
    for (const write of answered) this.release(write);
    // Without delaying the next batch.
    this.answers.add(answered, replies, lastSeq);
    this.send();
  }

  private answer(write: QueuedWrite, reply: CommandReply | undefined): void {
    this.queue.answer(write, reply);
    if (this.queue.length === 0) this.whenAnswered?.();
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

function hasWritten(reply: CommandReply): boolean {
  return reply.kind === 'decided' && reply.result.ok && reply.result.changed;
}

function refuse(reason: string): Promise<never> {
  return Promise.reject(new StoreUnavailable(reason));
}
