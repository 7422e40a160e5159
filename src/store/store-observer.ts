// Whoever wants to know how writing goes, as metrics do. Told after the fact, and decides nothing.
import type { Command, CommandKind, CommandResult } from '../writes/command.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';

export interface StoreObserver {
  /** So many commands have become durable together; the time is from taking them up until then. */
  batchCommitted(commands: number, commitMs: number): void;
  commandEnded(kind: CommandKind, end: CommandEnd): void;
  /** A batch failed for a passing reason and is run again. */
  batchRetried(): void;
}

/** `repeated`: it was so already; `unavailable`: nothing was committed; `unknown`: nobody can say; `failed`: our bug. */
export type CommandEnd = 'done' | 'repeated' | 'refused' | 'unavailable' | 'unknown' | 'failed';

const ignore = (): void => undefined;

/** Listens to nothing. */
export const noObserver: StoreObserver = {
  batchCommitted: ignore,
  commandEnded: ignore,
  batchRetried: ignore,
};

/** Tells the observer how a command ends, and gives the result on. */
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
