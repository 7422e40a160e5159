// The hooks of a store that has its zones served by another process: a write is admitted only while its change can be served,
// and answered when it is served.
import type { ZoneName } from '../model/domain.ts';
import type { Command } from '../writes/command.ts';
import { domainOf } from '../writes/run-batch.ts';
import { CommitInDoubt } from '../writes/store-errors.ts';
import type { CommandReply, QueuedWrite } from '../writes/write-queue.ts';

export interface ServedWrites {
  /**
   * The socket at which a thread that has committed wakes the process that serves. Absent: `afterCommit` wakes it, from the
   * thread that calls it.
   */
  readonly wakePath?: string | undefined;
  /**
   * Called before a command enters the queue. Undefined: it enters at once; else it enters when the promise resolves, and
   * nothing of it is committed if the promise rejects (with StoreUnavailable).
   */
  beforeWrite(): Promise<void> | undefined;
  /**
   * Called with the end of the feed after each batch. The callers are answered when the promise resolves, those that wrote
   * to a domain after `whenShown`. If it rejects, their changes are committed but not served: writes that were done end as
   * `CommitInDoubt`, refusals are answered.
   */
  afterCommit(seq: number): Promise<void>;
  /**
   * Called for a domain when `afterCommit` has resolved. Undefined: its changes up to there are served. Otherwise a former
   * version of it is served while the new one is loaded, and the promise resolves when that has ended. Rejects like
   * `afterCommit`.
   */
  whenShown(domain: ZoneName, seq: number): Promise<void> | undefined;
  /** The serial that is served of a domain while a former version is served, null if it is none; otherwise undefined. */
  formerSerial(domain: ZoneName): number | null | undefined;
  /** Whether zones are served now, and current. */
  isServing(): boolean;
  /** Whether a zone was not found to differ from what was written. */
  serves(name: ZoneName): boolean;
}

/**
 * Resolves when the changes of one command are served. Undefined at once if nobody serves them.
 *
 * @throws CommitInDoubt
 */
export async function whenServed(
  served: ServedWrites | undefined,
  command: Command,
  seq: number,
): Promise<void> {
  try {
    await served?.afterCommit(seq);
    const domain = domainOf(command);
    if (domain !== undefined) await served?.whenShown(domain, seq);
  } catch (error) {
    throw error instanceof CommitInDoubt ? error : new CommitInDoubt(String(error));
  }
}

/**
 * Answers the commands of batches when they are served: batch after batch, in order. Only a command to a domain that is
 * served in a former version waits longer, and delays no other one.
 */
export class ServedAnswers {
  private readonly served: ServedWrites | undefined;
  private readonly answer: (write: QueuedWrite, reply: CommandReply | undefined) => void;
  /** Resolves when all batches are answered, but for commands that wait longer. */
  private inOrder = Promise.resolve();
  private readonly late = new Set<Promise<void>>();

  /** @param served undefined: callers are answered when their batch is committed */
  constructor(
    served: ServedWrites | undefined,
    answer: (write: QueuedWrite, reply: CommandReply | undefined) => void,
  ) {
    this.served = served;
    this.answer = answer;
  }

  /** @param lastSeq the end of the feed after the batch; null if nothing was committed */
  add(writes: readonly QueuedWrite[], replies: readonly CommandReply[], lastSeq: number | null): void {
    const reached =
      lastSeq === null ? undefined : this.served?.afterCommit(lastSeq).then(noFailure, messageOf);
    this.inOrder = this.inOrder.then(async () => {
      const failure = await reached;
      for (const [index, write] of writes.entries())
        this.answerServed(write, replies[index], lastSeq, failure);
    });
  }

  /** Resolves when all commands that were added are answered. */
  async finish(): Promise<void> {
    await this.inOrder;
    while (this.late.size > 0) await Promise.all(this.late);
  }

  private answerServed(
    write: QueuedWrite,
    reply: CommandReply | undefined,
    lastSeq: number | null,
    failure: string | undefined,
  ): void {
    const domain = domainOf(write.command);
    const isSettled = failure !== undefined || lastSeq === null || domain === undefined || !isDone(reply);
    const shown = isSettled ? undefined : this.served?.whenShown(domain, lastSeq);
    if (shown === undefined) {
      this.answer(write, withFailure(reply, failure));
      return;
    }
    const late = shown.then(noFailure, messageOf).then((reason) => {
      this.late.delete(late);
      this.answer(write, withFailure(reply, reason));
    });
    this.late.add(late);
  }
}

function isDone(reply: CommandReply | undefined): boolean {
  return reply?.kind === 'decided' && reply.result.ok;
}

/** @param failure why the changes are not served; undefined: they are */
function withFailure(reply: CommandReply | undefined, failure: string | undefined): CommandReply | undefined {
  return failure !== undefined && isDone(reply) ? { kind: 'unknown', message: failure } : reply;
}

function noFailure(): undefined {
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof CommitInDoubt ? error.message : String(error);
}
