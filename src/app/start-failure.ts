import { CommandFailure } from '../cli/failures/command-failure.ts';
import { HttpServerStartError } from '../http/http-server.ts';
import { NameserverStartError } from '../nameserver/nameserver-start-error.ts';
import { StoreOpenError } from '../store/store.ts';

/** The parts' own errors, whose message is already a sentence for the operator. */
const sentences = [CommandFailure, StoreOpenError, NameserverStartError, HttpServerStartError];

/**
 * Why the service cannot start, as one sentence for the operator; undefined when it is not the operator's business but
 * a bug of ours.
 */
export function describeStartFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (sentences.some((kind) => error instanceof kind)) return error.message;
  // A system call was refused: no bug, but nobody has put it into words.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? undefined : error.message;
}
