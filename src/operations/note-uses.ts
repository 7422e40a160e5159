import type { Log } from '../base/log.ts';
import type { Command } from '../writes/command.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';

/** A command with so many keys or sessions takes the writer a few milliseconds. */
export const MAX_NOTED_USES = 500;

type UseContext = Pick<OperationContext, 'store' | 'keyUses' | 'sessionUses'>;

/** Writes which keys and sessions have been used. Uses that cannot be written now are forgotten: the next ones are noted. */
export async function noteUses(context: UseContext, log: Log): Promise<void> {
  try {
    for (const command of takeCommands(context)) await commitWrite(context, command);
  } catch (error) {
    if (!(error instanceof StoreUnavailable))
      log.error({ err: error }, 'the use of keys and sessions could not be noted');
  }
}

function takeCommands({ keyUses, sessionUses }: UseContext): Command[] {
  const keys = keyUses.take(MAX_NOTED_USES).map((part): Command => {
    const uses = part.map(({ id, atSeconds }) => ({ keyId: id, atSeconds }));
    return { kind: 'noteKeyUses', uses };
  });
  const sessions = sessionUses.take(MAX_NOTED_USES).map((part): Command => {
    const uses = part.map(({ id, atSeconds }) => ({ sessionId: id, atSeconds }));
    return { kind: 'noteSessionUses', uses };
  });
  return [...keys, ...sessions];
}
