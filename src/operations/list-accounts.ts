import type { Account, Caller } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { findAdminRefusal } from './authorise.ts';
import type { OperationContext } from './operation-context.ts';

/** All accounts, in creation order. */
export async function listAccounts(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
): Promise<Outcome<Page<Account>>> {
  return findAdminRefusal(caller) ?? done(await context.store.listAccounts(page));
}
