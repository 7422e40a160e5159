import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Log } from '../../base/log.ts';
import { signingMoment, type SigningClock } from '../signing-settings.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { MAX_PREPARATIONS } from '../../writes/prepared-write.ts';
import { CommitInDoubt } from '../../writes/store-errors.ts';
import { resultOf } from '../../writes/write-queue.ts';
import { LARGE_AT_ONCE, PreparingTurns } from '../preparing-turns.ts';
import { CommandThread } from '../threads/command-thread.ts';
import { threadHeaps } from '../threads/thread-heaps.ts';
import type { LogGate } from './log-gate.ts';
import type { Answer, PreparerData, StagedWrite, TakenOver, ToPreparer } from './preparing-messages.ts';
import { stagedPath } from './staged-files.ts';

/** Small dry runs have a thread to themselves, so that they never wait for a zone. */
const SMALL_AT_ONCE = 1;

export type PreparingLane = 'small' | 'large';

const atOnce: Readonly<Record<PreparingLane, number>> = { small: SMALL_AT_ONCE, large: LARGE_AT_ONCE };

/** Distinguishes the files of the threads of one store. */
const firstNumber: Readonly<Record<PreparingLane, number>> = { small: 0, large: SMALL_AT_ONCE };

/** `served` resolves when the changes are served, and rejects with CommitInDoubt. */
export type TakenWrite =
  | Exclude<TakenOver, { readonly kind: 'written' }>
  | { readonly kind: 'written'; readonly served: Promise<void> };

/** The writer, as far as preparing threads need it. */
export interface PreparedWriter {
  /** Commits the prepared write of a command. Never rejects. */
  takeOver(staged: StagedWrite, command: Command): Promise<TakenWrite>;
  /** Returns an id for a domain, which no other domain ever gets. @throws StoreUnavailable */
  reserveDomainId(): Promise<number>;
}

export interface PreparingParts extends SigningClock {
  readonly data: PreparerData;
  readonly log: Log;
  readonly gate: LogGate;
  readonly writer: PreparedWriter;
}

/** Decides commands on snapshots, on threads that are started when first needed; one command of an account at a time. */
export class PreparingThreads {
  private readonly turns: PreparingTurns<PreparingThread>;
  private readonly writer: PreparedWriter;

  constructor({ data, writer, ...parts }: PreparingParts, lane: PreparingLane) {
    this.writer = writer;
    const numbers = Array.from({ length: atOnce[lane] }, (_, index) => firstNumber[lane] + index);
    this.turns = new PreparingTurns(numbers.map((number) => new PreparingThread(data, number, parts)));
  }

  /**
   * Returns the result of a command that needed no writing or that the writer has taken over; undefined if its basis moved
   * each time, so that the writer has to decide it.
   *
   * @throws StoreBusy or StoreUnavailable: nothing was committed; CommitInDoubt
   */
  async run(command: Command, getSignal?: GetSignal): Promise<CommandResult<Command> | undefined> {
    const { result, served } = await this.turns.run(command, getSignal, (thread, signal) =>
      thread.run(command, this.writer, signal),
    );
    // The next one need not wait until this one is served.
    await served;
    return result;
  }

  /** Ends the threads after the current commands are answered; waiting ones are refused. */
  async close(): Promise<void> {
    await this.turns.close();
    await Promise.all(this.turns.workers.map((thread) => thread.close()));
  }
}

interface Prepared {
  /** Undefined: the writer has to decide the command. */
  readonly result: CommandResult<Command> | undefined;
  readonly served?: Promise<void>;
}

/** Prepares one command at a time. */
class PreparingThread {
  private readonly thread: CommandThread<ToPreparer, Answer>;
  private readonly clock: SigningClock;
  private readonly gate: LogGate;

  constructor(
    data: PreparerData,
    number: number,
    { clock, findClockFault, log, gate }: Omit<PreparingParts, 'data' | 'writer'>,
  ) {
    this.clock = { clock, findClockFault };
    this.gate = gate;
    this.thread = new CommandThread({
      module: new URL('./sqlite-preparer-worker.ts', import.meta.url),
      name: 'preparing',
      resourceLimits: threadHeaps(data.workMemoryBytes).preparer,
      workerData: { ...data, stagedPath: stagedPath(data.path, number) },
      log,
    });
  }

  run(command: Command, writer: PreparedWriter, signal: AbortSignal | undefined): Promise<Prepared> {
    return this.thread.forClient(signal, () => this.prepareUntilWritten(command, writer));
  }

  close(): Promise<void> {
    return this.thread.close({ kind: 'close' });
  }

  private async prepareUntilWritten(command: Command, writer: PreparedWriter): Promise<Prepared> {
    let answer = await this.askOnSnapshot({
      kind: 'prepare',
      text: await this.thread.send(command),
      moment: signingMoment(this.clock),
    });
    for (let attempt = 1; answer.kind === 'staged'; attempt++) {
      const taken = this.thread.isClientGone ? clientGone : await writer.takeOver(answer, command);
      if (taken.kind === 'written') return await this.describeWritten(command, taken.served);
      if (taken.kind !== 'moved' || attempt === MAX_PREPARATIONS) {
        await this.thread.ask({ kind: 'drop' });
        return { result: taken.kind === 'moved' ? undefined : resultOf(command, taken) };
      }
      answer = await this.prepareAgain(answer, writer);
    }
    // Nothing was committed, so that a result that was lost is a failure and not in doubt.
    return { result: await this.decode(command, answer, 'failed') };
  }

  private async describeWritten(command: Command, served: Promise<void>): Promise<Prepared> {
    // It is awaited after the result, which may be lost.
    served.catch(() => undefined);
    return { result: await this.resultOfWritten(command), served };
  }

  /** It is committed: without its result it is in doubt. */
  private async resultOfWritten(command: Command): Promise<CommandResult<Command>> {
    const answer = await this.thread.ask({ kind: 'written' }).catch((error: unknown) => {
      throw new CommitInDoubt(String(error));
    });
    return await this.decode(command, answer, 'unknown');
  }

  private async prepareAgain({ createsDomain }: StagedWrite, writer: PreparedWriter): Promise<Answer> {
    try {
      const domainId = createsDomain ? await writer.reserveDomainId() : null;
      return await this.askOnSnapshot({ kind: 'again', domainId });
    } catch (error) {
      await this.thread.ask({ kind: 'drop' });
      throw error;
    }
  }

  private async decode(
    command: Command,
    answer: Answer,
    lostKind: 'failed' | 'unknown',
  ): Promise<CommandResult<Command>> {
    if (answer.kind !== 'prepared') throw new Error(`a preparing thread answered ${answer.kind}`);
    const reply = await this.thread.decode(command, answer.text);
    return resultOf(command, reply.kind === 'unknown' ? { ...reply, kind: lostKind } : reply);
  }

  /** For a question whose answer needs a snapshot of the store. */
  private async askOnSnapshot(message: ToPreparer): Promise<Answer> {
    const leave = await this.gate.enter();
    try {
      return await this.thread.ask(message);
    } finally {
      leave();
    }
  }
}

const clientGone: TakenWrite = { kind: 'unavailable', message: 'the client has gone' };
