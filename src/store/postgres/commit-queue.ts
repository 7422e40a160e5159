import type { Command, CommandResult } from '../../writes/command.ts';
import type { CommandWeight } from '../../writes/command-weight.ts';
import { WriteQueue, type QueuedWrite } from '../../writes/write-queue.ts';
import { ServedAnswers, type ServedWrites } from '../after-commit.ts';
import { findLost, type BatchResult, type PostgresWriter } from './postgres-writer.ts';

/** 256 commands take some 15 ms; a larger batch would only make the first of them, and other processes, wait. */
const MAX_BATCH_COMMANDS = 256;

/** The cost of the commands in a batch, which takes some 50 ms. A larger command is a batch of its own. */
const MAX_BATCH_COST = 1024 * 1024;

interface CommitQueueParts {
  readonly writer: Pick<PostgresWriter, 'commitBatch'>;
  /** Undefined: the callers of a batch are answered at once. */
  readonly served: ServedWrites | undefined;
}

/** Commits waiting commands batch after batch, and answers their callers in order. */
export class CommitQueue {
  private readonly parts: CommitQueueParts;
  private readonly queue = new WriteQueue();
  /** Resolves when no command waits. */
  private committing: Promise<void> | undefined;
  private readonly answers: ServedAnswers;

  constructor(parts: CommitQueueParts) {
    this.parts = parts;
    this.answers = new ServedAnswers(parts.served, (write, reply) => this.queue.answer(write, reply));
  }

  /** Number of commands that are not answered yet. */
  get length(): number {
    return this.queue.length;
  }

  /** Rejects with StoreUnavailable if the queue is full. */
  add(command: Command, weight: CommandWeight): Promise<CommandResult<Command>> {
    const answer = this.queue.add(command, weight);
    this.committing ??= this.commitWaiting();
    return answer;
  }

  /** Resolves when all commands are answered. */
  async finish(): Promise<void> {
    await this.committing;
    await this.answers.finish();
  }

  /** The first batch takes all commands of this turn of the event loop. */
  private async commitWaiting(): Promise<void> {
    await new Promise(setImmediate);
    while (this.queue.waitingCount > 0) {
      const writes = this.queue.take(MAX_BATCH_COMMANDS, MAX_BATCH_COST);
      const commands = writes.map(({ command }) => command);
      const batch = await this.parts.writer.commitBatch(commands);
      this.answerLater(writes.slice(0, batch.results.length), batch);
      this.queue.putBack(writes.slice(batch.results.length));
      this.refuseWaiting(batch);
    }
    this.committing = undefined;
  }

  /** Does not wait, so that the next batch can be committed meanwhile. */
  private answerLater(writes: readonly QueuedWrite[], { results, lastSeq }: BatchResult): void {
    this.answers.add(writes, results, lastSeq);
  }

  /** If the database could not be reached for seconds, waiting commands would only wait as long for the same answer. */
  private refuseWaiting({ results }: BatchResult): void {
    const lost = findLost(results);
    if (lost === undefined) return;
    const { message } = lost;
    const writes = this.queue.take(Infinity);
    this.answerLater(writes, {
      results: writes.map(() => ({ kind: 'unavailable', message })),
      lastSeq: null,
    });
  }
}
