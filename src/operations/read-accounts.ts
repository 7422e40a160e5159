// Reads of accounts and keys.
import type { Account, ApiKey, Caller } from '../model/account.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { noteForeignRead } from './note-foreign-read.ts';
import { findKeyAccount } from './key-account.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';

/** Returns the caller's own account. */
export async function getAccount(context: OperationContext, caller: Caller): Promise<ReadResult<Account>> {
  const account = await context.store.findAccount(caller.accountId);
  // A key is known for some seconds longer than an account that has been removed.
  return account === undefined ? refuseUnknownAccount(caller.accountId) : success(account);
}

/** Lists all accounts, in creation order. */
export async function listAccounts(
  context: OperationContext,
  page: PageRequest,
): Promise<ReadResult<Page<Account>>> {
  return success(await context.store.listAccounts(page));
}

/**
 * Lists the keys of one account, in creation order.
 *
 * @param accountId the caller's account if undefined
 */
export async function listKeys(
  context: OperationContext,
  caller: Requester,
  accountId: string | undefined,
  page: PageRequest,
): Promise<ReadResult<Page<ApiKey>>> {
  const account = await findKeyAccount(context, caller, accountId);
  if (!account.ok) return account;
  noteForeignRead(context, caller, account.value, 'listKeys');
  return success(await context.store.listKeys(account.value, page));
}
