import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import type { WorkShare } from './work-memory.ts';

/**
 * Extends the memory of a request, and runs work with it. Without a transport that has reserved some, the memory is released
 * when the work has ended.
 *
 * @param octets that the work takes beside what the request holds already
 * @throws StoreBusy if the request waits too long, or if its client has gone
 */
export async function withShare<R extends Requester, T>(
  { workMemory }: Pick<OperationContext, 'workMemory'>,
  caller: R,
  octets: number,
  work: (caller: R & { readonly share: WorkShare }) => Promise<T>,
): Promise<T> {
  const { accountId, getSignal } = caller;
  const share = caller.share ?? (await workMemory.reserve(accountId, octets, getSignal));
  try {
    if (caller.share !== undefined) await share.extendTo(share.octets + octets, getSignal);
    return await work({ ...caller, share });
  } finally {
    if (caller.share === undefined) share.release();
  }
}
