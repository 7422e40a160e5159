import type { Account } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';

/** All accounts, in creation order. */
export async function listAccounts(
  context: OperationContext,
  page: PageRequest,
): Promise<Outcome<Page<Account>>> {
  return done(await context.store.listAccounts(page));
}
