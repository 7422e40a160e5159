// The two hooks of a store that has its zones served by another process: a write is admitted only while its change can be
// served, and answered when it is served.
import { CommitInDoubt } from '../writes/store-errors.ts';
import type { CommandReply } from '../writes/write-queue.ts';

export interface ServedWrites {
  /**
   * Called before a command enters the queue. Undefined: it enters at once; else it enters when the promise resolves, and
   * nothing of it is committed if the promise rejects (with StoreUnavailable).
   */
  beforeWrite(): Promise<void> | undefined;
  /**
   * Called with the end of the feed after each batch. The callers are answered when the promise resolves. If it rejects,
   * their changes are committed but not served: writes that were done end as `CommitInDoubt`, refusals are answered.
   */
  afterCommit(seq: number): Promise<void>;
  /** Whether zones are served now, and current. */
  isServing(): boolean;
}

/** The replies of a committed batch, once it is served. Never rejects. */
export async function repliesWhenServed(
  served: Promise<void>,
  replies: readonly CommandReply[],
): Promise<readonly CommandReply[]> {
  try {
    await served;
    return replies;
  } catch (error) {
    const message = error instanceof CommitInDoubt ? error.message : String(error);
    return replies.map((reply) =>
      reply.kind === 'decided' && reply.result.ok ? { kind: 'unknown', message } : reply,
    );
  }
}
