import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { CommitInDoubt } from '../../writes/store-errors.ts';
import { resultOf } from '../../writes/write-queue.ts';
import { whenServed, type ServedWrites } from '../after-commit.ts';
import { signingMoment } from '../signing-settings.ts';
import { LARGE_AT_ONCE, PreparingTurns } from '../preparing-turns.ts';
import { CommandThread } from '../threads/command-thread.ts';
import { threadHeaps } from '../threads/thread-heaps.ts';
import type { LargeAnswer, LargeWriteEvent, LargeWriterData, ToLargeWriter } from './large-write-messages.ts';
import type { WriterOptions } from './postgres-writer.ts';

export interface LargeWritesParts extends WriterOptions {
  /** Undefined: callers are answered at once. */
  readonly served: ServedWrites | undefined;
  /** Memory for large work; sizes the heaps of the threads. */
  readonly workMemoryBytes?: number | undefined;
}

/** An object, because a promise of the answer would be awaited in the turn of the command. */
interface Written {
  readonly answer: Promise<CommandResult<Command>>;
}

type LargeWriter = CommandThread<ToLargeWriter, LargeAnswer>;

/** Has large commands decided on snapshots, on a thread of their own, and the lock of the feed held only while rows are copied. */
export class LargeWrites {
  private readonly parts: LargeWritesParts;
  private readonly turns: PreparingTurns<LargeWriter>;

  constructor(parts: LargeWritesParts) {
    this.parts = parts;
    this.turns = new PreparingTurns(Array.from({ length: LARGE_AT_ONCE }, () => openThread(parts)));
  }

  /**
   * Returns undefined if the basis of the command moved each time, so that it has to be decided under the lock.
   *
   * @throws StoreBusy or StoreUnavailable: nothing was committed; CommitInDoubt
   */
  async run(command: Command, getSignal?: GetSignal): Promise<CommandResult<Command> | undefined> {
    const written = await this.turns.run(command, getSignal, (thread, signal) =>
      thread.forClient(signal, () => this.write(thread, command)),
    );
    // The next one need not wait until this one is served.
    return await written?.answer;
  }

  /** Answers the commands that are under way, and refuses those that wait. */
  async close(): Promise<void> {
    await this.turns.close();
    await Promise.all(this.turns.workers.map((thread) => thread.close({ kind: 'close' })));
  }

  private async write(thread: LargeWriter, command: Command): Promise<Written | undefined> {
    const text = await thread.send(command);
    const message: ToLargeWriter = { kind: 'write', text, moment: signingMoment(this.parts) };
    const answer = await thread.ask(message).catch((error: unknown) => {
      // The thread may have committed the command before it ended.
      throw new CommitInDoubt(String(error));
    });
    this.report(answer.events);
    if (answer.text === null) return undefined;
    const result = resultOf(command, await thread.decode(command, answer.text));
    return { answer: this.answerServed(command, result, answer.lastSeq) };
  }

  private async answerServed(
    command: Command,
    result: CommandResult<Command>,
    lastSeq: number | null,
  ): Promise<CommandResult<Command>> {
    if (result.ok && lastSeq !== null) await whenServed(this.parts.served, command, lastSeq);
    return result;
  }

  private report(events: readonly LargeWriteEvent[]): void {
    const { observer, log } = this.parts;
    for (const event of events) {
      if (event.kind === 'committed') observer.batchCommitted(event.commands, event.commitMs);
      else if (event.kind === 'retried') observer.batchRetried();
      else log.error({ reason: event.reason }, 'a large write could not be committed');
    }
  }
}

function openThread({ address, quotas, dnssec, log, workMemoryBytes }: LargeWritesParts): LargeWriter {
  const workerData: LargeWriterData = { address, quotas, dnssec };
  return new CommandThread({
    module: new URL('./large-writer-worker.ts', import.meta.url),
    name: 'large write',
    resourceLimits: threadHeaps(workMemoryBytes).preparer,
    workerData,
    log,
  });
}
