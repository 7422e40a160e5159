import { CommandFailure } from '../cli/command-failure.ts';
import type { Config } from './config-settings.ts';

/** The parts' own errors whose message is already a sentence for the operator. */
const SENTENCES = ['StoreOpenError', 'NameserverStartError', 'HttpStartError'];

/**
 * Why the service cannot start, as one sentence for the operator; undefined when it is not the operator's business but
 * a bug of ours.
 */
export function describeStartFailure(error: unknown, config: Pick<Config, 'data'>): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof CommandFailure || SENTENCES.includes(error.name)) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  if (syscall === 'mkdir') return `the data folder ${config.data} cannot be created (${code})`;
  return error.message;
}
