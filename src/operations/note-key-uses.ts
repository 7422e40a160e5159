import type { Log } from '../base/log.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';

/** A command with so many keys takes the writer a few milliseconds. */
export const MAX_NOTED_USES = 500;

/** Writes which keys have been used. Uses that cannot be written now are forgotten: the next ones are noted. */
export async function noteKeyUses(
  context: Pick<OperationContext, 'store' | 'keyUses'>,
  log: Log,
): Promise<void> {
  for (const uses of context.keyUses.take(MAX_NOTED_USES)) {
    try {
      await commitWrite(context, { kind: 'noteKeyUses', uses });
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        log.error({ err: error }, 'the use of keys could not be noted');
      return;
    }
  }
}
