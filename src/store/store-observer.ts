// Reports the progress of writes to an observer (the metrics). Calls come after the fact and influence nothing.
import type { Command, CommandKind, CommandResult } from '../writes/command.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';

export interface StoreObserver {
  /** A batch became durable; the time is from the start of the batch. */
  batchCommitted(commands: number, commitMs: number): void;
  commandEnded(kind: CommandKind, end: CommandEnd): void;
  /** A batch failed for a temporary reason and is retried. */
  batchRetried(): void;
}

/**
 * `repeated`: nothing had to be changed; `unavailable`: nothing was committed; `unknown`: it cannot be known whether the
 * command was committed; `failed`: a bug.
 */
export type CommandEnd = 'done' | 'repeated' | 'refused' | 'unavailable' | 'unknown' | 'failed';

const ignore = (): void => undefined;

export const noObserver: StoreObserver = {
  batchCommitted: ignore,
  commandEnded: ignore,
  batchRetried: ignore,
};

/** Reports the end of a command to the observer and returns its result. */
export async function observeCommand<C extends Command>(
  observer: StoreObserver,
  { kind }: C,
  result: Promise<CommandResult<C>>,
): Promise<CommandResult<C>> {
  try {
    const known = await result;
    observer.commandEnded(kind, endOf(known));
    return known;
  } catch (error) {
    observer.commandEnded(kind, endOfFailure(error));
    throw error;
  }
}

function endOfFailure(error: unknown): CommandEnd {
  if (error instanceof StoreUnavailable) return 'unavailable';
  return error instanceof CommitInDoubt ? 'unknown' : 'failed';
}

function endOf(result: CommandResult<Command>): CommandEnd {
  if (!result.ok) return 'refused';
  return result.changed ? 'done' : 'repeated';
}
