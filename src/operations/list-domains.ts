import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';

/** The account's domains, by name. */
export async function listDomains(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
  search?: string,
  getSignal?: GetSignal,
): Promise<Outcome<Page<Domain>>> {
  return done(await context.store.listDomains(caller.accountId, page, search, getSignal));
}
