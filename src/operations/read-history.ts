// Reads of the history: the changes of a domain, and deleted domains.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { DeletedDomain } from '../model/domain.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { Page, PageRequest } from '../store/store.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** Lists the changes of a domain, newest first, as far back as the history is kept. */
export async function listChanges(
  context: OperationContext,
  caller: Caller,
  domain: string,
  page: PageRequest,
  getSignal?: GetSignal,
): Promise<ReadResult<Page<HistoryEntry>>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const { store } = context;
  // Read first: what is removed in between makes the list shorter than it claims, never longer.
  const historyStart = await store.findHistoryStart(found.value);
  const listed = foundIn(await store.listChanges(found.value, page, getSignal), found.value);
  return listed.ok ? { ...listed, historyStart } : listed;
}

/** Lists the account's domains that can be restored, most recently deleted first. */
export async function listDeletedDomains(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
  getSignal?: GetSignal,
): Promise<ReadResult<Page<DeletedDomain>>> {
  return success(await context.store.listDeletedDomains(caller.accountId, page, getSignal));
}
