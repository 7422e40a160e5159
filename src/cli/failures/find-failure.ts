import { ApiError, UnreachableError } from '../../client/api-error.ts';
import { CommandFailure } from './command-failure.ts';
import { DnsFailure, type DnsFailureKind } from '../../dns-client/dns-failure.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';

/** Turns any expected error into a failure with an exit code. Returns undefined for a bug. */
export function findFailure(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandFailure) return error;
  const exitCode = exitCodeFor(error);
  if (exitCode === undefined || !(error instanceof Error)) return undefined;
  return new CommandFailure(exitCode, error.message, { cause: error });
}

/** For work on one of many domains. @throws the error itself if it is a bug */
export function getFailure(error: unknown): CommandFailure {
  const failure = findFailure(error);
  if (failure === undefined) throw error;
  return failure;
}

function exitCodeFor(error: unknown): number | undefined {
  if (error instanceof ApiError) return exitCodeOf(error.status);
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  return error instanceof DnsFailure ? dnsExitCodes[error.kind] : undefined;
}

const dnsExitCodes: Readonly<Record<DnsFailureKind, number>> = {
  unreachable: exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  refused: exitCodes.refused,
  server_failed: exitCodes.unavailable,
  malformed: exitCodes.failed,
};
