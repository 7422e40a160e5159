import { ApiError, UnreachableError } from '../../../src/client/zonewright-client.ts';
import { text } from '../text/en.ts';
import { WaitCancelled } from './waits.ts';

export interface DescribedError {
  /** Our words for the failure. */
  readonly title: string;
  /** Why: the sentence of the service, or ours if it did not answer. */
  readonly why: string;
  readonly requestId: string | undefined;
  /** The same request may succeed now. */
  readonly canRepeat: boolean;
}

export function describeError(error: unknown): DescribedError {
  if (error instanceof ApiError)
    return {
      title: titleOf(error),
      why: `${error.message}.`,
      requestId: error.requestId,
      canRepeat: error.status === 429 || error.status >= 500,
    };
  if (error instanceof WaitCancelled)
    return {
      title: text.errors.cancelled,
      why: text.errors.cancelledWhy,
      requestId: undefined,
      canRepeat: true,
    };
  if (error instanceof UnreachableError) {
    const isOffline = !navigator.onLine;
    const title = isOffline ? text.errors.offline : text.errors.unreachable;
    return { title, why: text.errors.offlineWhy, requestId: undefined, canRepeat: true };
  }
  const why = error instanceof Error ? error.message : String(error);
  return { title: text.errors.other, why, requestId: undefined, canRepeat: true };
}

function titleOf({ status, code }: ApiError): string {
  // Something before the service has answered.
  if (code === undefined) return text.errors.unknown;
  if (status === 400) return text.errors.invalid;
  if (status === 403) return text.errors.forbidden;
  if (status === 404) return text.errors.missing;
  if (status === 409 || status === 412) return text.errors.conflict;
  if (status === 429) return text.errors.limited;
  if (status === 503) return text.errors.busy;
  return status >= 500 ? text.errors.fault : text.errors.other;
}

/** The session has ended, or nobody has signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code === 'invalid_key';
}

export function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
