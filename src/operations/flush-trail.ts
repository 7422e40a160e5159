import type { Log } from '../base/log.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';

/** A command with so many entries takes the writer a few milliseconds. */
export const MAX_NOTED_ENTRIES = 500;

/**
 * Writes what has been noted for the trail. What cannot be written now is written the next time; if the store cannot tell
 * whether it has been written, it may be there twice.
 *
 * @param isLast the process stops
 */
export async function flushTrail(
  context: Pick<OperationContext, 'store' | 'trail'>,
  log: Log,
  isLast = false,
): Promise<void> {
  for (;;) {
    const entries = context.trail.take(isLast);
    if (entries.length === 0) return;
    for (let at = 0; at < entries.length; at += MAX_NOTED_ENTRIES) {
      try {
        await commitWrite(context, { kind: 'noteTrail', entries: entries.slice(at, at + MAX_NOTED_ENTRIES) });
      } catch (error) {
        const isLost = !(error instanceof StoreUnavailable) && !(error instanceof CommitInDoubt);
        if (isLost) log.error({ err: error }, 'entries of the trail could not be written');
        context.trail.giveBack(entries.slice(isLost ? at + MAX_NOTED_ENTRIES : at));
        return;
      }
    }
  }
}
