import type { ApiKey, Caller } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { findKeyAccount } from './key-account.ts';
import type { OperationContext } from './operation-context.ts';

/** Keys of one account, in creation order. */
export async function listKeys(
  context: OperationContext,
  caller: Caller,
  accountId: string | undefined,
  page: PageRequest,
): Promise<Outcome<Page<ApiKey>>> {
  const account = await findKeyAccount(context, caller, accountId);
  return account.ok ? done(await context.store.listKeys(account.value, page)) : account;
}
