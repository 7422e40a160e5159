// Reads of the history: the changes of a domain, and deleted domains.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { DeletedDomain } from '../model/domain.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { ChangeFilter, ChangePage } from '../store/change-filter.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { findCostRefusal } from './account-limits.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { weighHistory } from './weigh-history.ts';

/**
 * Lists the changes of a domain, newest first, as far back as the history is kept. With a filter, a page may have fewer changes than it
 * could, or none, and others follow.
 */
export async function listChanges(
  context: OperationContext,
  caller: Caller,
  domain: string,
  page: PageRequest,
  filter?: ChangeFilter,
  getSignal?: GetSignal,
): Promise<ReadResult<ChangePage>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const { store } = context;
  if (filter !== undefined) {
    const work = { rows: await weighHistory(context, caller), octets: 0 };
    const refusal = await findCostRefusal(context, caller, work);
    if (refusal !== undefined) return refusal;
  }
  // Read first: what is removed in between makes the list shorter than it claims, never longer.
  const historyStart = await store.findHistoryStart(found.value);
  const listed = foundIn(await store.listChanges(found.value, page, filter, getSignal), found.value);
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
