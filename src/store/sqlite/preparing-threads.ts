import { FairSemaphore, type SemaphoreLimits } from '../../base/fair-semaphore.ts';
import type { Log } from '../../base/log.ts';
import { runInSteps, type Steps } from '../../base/steps.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { StoreBusy, StoreUnavailable } from '../../writes/store-errors.ts';
import { accountOf, resultOf } from '../../writes/write-queue.ts';
import { encodeCommand } from './command-messages.ts';
import type { LogGate } from './log-gate.ts';
import { PieceSender } from './packed-list.ts';
import type { FromPreparer, PreparerData, ToPreparer } from './preparing-messages.ts';
import { decodeResults } from './result-messages.ts';
import { ThreadOnDemand } from './thread-on-demand.ts';

/** Large commands that are prepared at the same time: each keeps a processor busy and holds a zone in memory. */
const LARGE_AT_ONCE = 2;

/** Small dry runs have a thread to themselves, so that they never wait for a zone. */
const SMALL_AT_ONCE = 1;

/** They hold their requests in memory; a large one takes seconds, so that more would only wait in vain. */
const MAX_WAITING = 64;
const MAX_WAITING_PER_ACCOUNT = 8;

/** About as long as people are willing to wait, and less than clients do. */
const MAX_WAIT_MS = 10_000;

export type PreparingLane = 'small' | 'large';

const atOnce: Readonly<Record<PreparingLane, number>> = { small: SMALL_AT_ONCE, large: LARGE_AT_ONCE };

/** Decides commands on snapshots, on threads that are started when first needed; one command of an account at a time. */
export class PreparingThreads {
  private readonly semaphore: FairSemaphore;
  private readonly gate: LogGate;
  private readonly idle: PreparingThread[];
  private readonly threads: readonly PreparingThread[];

  constructor(data: PreparerData, log: Log, gate: LogGate, lane: PreparingLane) {
    const limits: SemaphoreLimits = {
      permits: atOnce[lane],
      permitsPerKey: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerKey: MAX_WAITING_PER_ACCOUNT,
      waitMs: MAX_WAIT_MS,
    };
    this.semaphore = new FairSemaphore(limits);
    this.gate = gate;
    this.threads = Array.from({ length: limits.permits }, () => new PreparingThread(data, log));
    this.idle = [...this.threads];
  }

  /**
   * Returns the result of a dry run, or of a command that is refused or changes nothing; undefined if the command has to be
   * written.
   *
   * @throws StoreBusy or StoreUnavailable; nothing was committed
   */
  async prepare(command: Command): Promise<CommandResult<Command> | undefined> {
    const release = await this.semaphore.acquire(accountOf(command));
    if (release === undefined)
      throw new StoreBusy('Too many large writes and dry runs are under way, try again');
    const leave = await this.gate.enter().catch((error: unknown) => {
      release();
      throw error;
    });
    const thread = this.idle.pop();
    try {
      if (thread === undefined) throw new Error('every permit has a thread');
      return await thread.prepare(command);
    } finally {
      if (thread !== undefined) this.idle.push(thread);
      leave();
      release();
    }
  }

  /** Ends the threads after the current commands are answered. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

interface Pending {
  readonly resolve: (prepared: Prepared) => void;
  readonly reject: (error: Error) => void;
}

interface Prepared {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** Prepares one command at a time. If the thread crashes, the command fails and the next one starts a new thread. */
class PreparingThread {
  private readonly thread: ThreadOnDemand<ToPreparer, FromPreparer>;
  private pending: Pending | undefined;
  private pieces: string[] = [];

  constructor(workerData: PreparerData, log: Log) {
    this.thread = new ThreadOnDemand({
      module: new URL('./sqlite-preparer-worker.ts', import.meta.url),
      name: 'preparing',
      workerData,
      log,
      onMessage: (message) => this.receive(message),
      onEnd: () => this.end(),
    });
  }

  async prepare(command: Command): Promise<CommandResult<Command> | undefined> {
    const thread = await this.thread.get();
    const sender = new PieceSender((text) => thread.post({ kind: 'piece', text }));
    const text = await runInSteps(encodeCommand(command, sender));
    const prepared = await new Promise<Prepared>((resolve, reject) => {
      this.pending = { resolve, reject };
      thread.post({ kind: 'prepare', text: `[${text}]` });
    });
    if (prepared.text === '') return undefined;
    return await runInSteps(decodePrepared(prepared, command));
  }

  close(): Promise<void> {
    return this.thread.close({ kind: 'close' });
  }

  private receive(message: FromPreparer): void {
    if (message.kind === 'piece') this.pieces.push(message.text);
    else if (message.kind === 'prepared') {
      this.pending?.resolve({ text: message.text, pieces: this.pieces });
      this.pieces = [];
    }
  }

  private end(): void {
    this.pieces = [];
    this.pending?.reject(new StoreUnavailable('the preparing thread failed'));
  }
}

function* decodePrepared({ text, pieces }: Prepared, command: Command): Steps<CommandResult<Command>> {
  const [reply] = yield* decodeResults(text, pieces, () => command);
  // Nothing was committed, so that a result that was lost is a failure and not in doubt.
  return resultOf(command, reply.kind === 'unknown' ? { ...reply, kind: 'failed' } : reply);
}
