import { CommandFailure } from '../cli/failures/command-failure.ts';
import { HttpServerStartError } from '../http/http-server-start-error.ts';
import { NameserverStartError } from '../nameserver/nameserver-start-error.ts';
import { StoreOpenError } from '../store/store.ts';

/** Errors whose message is a sentence for the operator. */
const sentences = [CommandFailure, StoreOpenError, NameserverStartError, HttpServerStartError];

/**
 * Explains in one sentence for the operator why the service cannot start. Returns undefined if the cause is a bug of
 * ours.
 */
export function describeStartFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (sentences.some((kind) => error instanceof kind)) return error.message;
  // A failed system call is not a bug; the message of Node names the call and the path.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? undefined : error.message;
}
