import type { GetSignal } from '../base/fair-semaphore.ts';
import type { DeletedDomain } from '../model/domain.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';

/** The account's domains that can be restored, the one created last first. */
export async function listDeletedDomains(
  context: OperationContext,
  caller: Requester,
  page: PageRequest,
  getSignal?: GetSignal,
): Promise<Outcome<Page<DeletedDomain>>> {
  return done(await context.store.listDeletedDomains(caller.accountId, page, getSignal));
}
