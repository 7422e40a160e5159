import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Outcome } from '../model/refusal.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import type { Requester } from './requester.ts';

/** What was changed in a domain, newest first, as far back as the history is kept. */
export async function listChanges(
  context: OperationContext,
  caller: Requester,
  domain: string,
  page: PageRequest,
  getSignal?: GetSignal,
): Promise<Outcome<Page<HistoryEntry>>> {
  const found = await findPathDomain(context, caller, domain);
  return found.ok
    ? foundIn(await context.store.listChanges(found.value, page, getSignal), found.value)
    : found;
}
