import { CommandFailure } from '../cli/command-failure.ts';

/** The parts' own errors whose message is already a sentence for the operator. */
const SENTENCES = ['StoreOpenError', 'NameserverStartError', 'HttpStartError'];

/**
 * Why the service cannot start, as one sentence for the operator; undefined when it is not the operator's business but
 * a bug of ours.
 */
export function describeStartFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof CommandFailure || SENTENCES.includes(error.name)) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? undefined : error.message;
}
