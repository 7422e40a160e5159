import type { Caller } from '../model/account.ts';
import { success, type Result } from '../model/result.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import type { OperationContext } from './operation-context.ts';

/** Whose keys an administrator's request is about: its own account's, or those of the account it names. */
export async function findKeyAccount(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<Result<string>> {
  if (named === undefined || named === caller.accountId) return success(caller.accountId);
  const account = await context.store.findAccount(named);
  if (account !== undefined) return success(account.id);
  return refuseUnknownAccount(named);
}
