import type { Log } from '../base/log.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import type { TrailBuffer } from './trail-buffer.ts';

/** A command with so many entries takes the writer a few milliseconds. */
export const MAX_NOTED_ENTRIES = 500;

type TrailContext = Pick<OperationContext, 'store' | 'trail' | 'sought'>;

/**
 * Writes what has been noted for the trail. What cannot be written now is written the next time; if the store cannot tell
 * whether it has been written, it may be there twice.
 *
 * @param isLast the process stops
 */
export async function flushTrail(context: TrailContext, log: Log, isLast = false): Promise<void> {
  await flush(context, context.trail, log, isLast);
  try {
    await context.sought.settle(context.store);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) log.error({ err: error }, 'objects could not be looked for');
  }
  await flush(context, context.sought.found, log, isLast);
}

async function flush(
  context: Pick<OperationContext, 'store'>,
  buffer: TrailBuffer,
  log: Log,
  isLast: boolean,
): Promise<void> {
  for (;;) {
    const entries = buffer.take(isLast);
    if (entries.length === 0) return;
    for (let at = 0; at < entries.length; at += MAX_NOTED_ENTRIES) {
      try {
        await commitWrite(context, { kind: 'noteTrail', entries: entries.slice(at, at + MAX_NOTED_ENTRIES) });
      } catch (error) {
        const isLost = !(error instanceof StoreUnavailable) && !(error instanceof CommitInDoubt);
        if (isLost) log.error({ err: error }, 'entries of the trail could not be written');
        buffer.giveBack(entries.slice(isLost ? at + MAX_NOTED_ENTRIES : at));
        return;
      }
    }
  }
}
