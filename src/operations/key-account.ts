import type { Caller } from '../model/account.ts';
import { success, type Result } from '../model/result.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { authorise } from './authorise.ts';
import type { OperationContext } from './operation-context.ts';

/** Returns the id of the account whose keys a request manages: the named one, or the caller's own. */
export async function findKeyAccount(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<Result<string>> {
  if (named === undefined || named === caller.accountId) return success(caller.accountId);
  const forbidden = authorise(caller, { needs: 'accounts:write' });
  if (forbidden !== undefined) return { ok: false, refusal: forbidden };
  const account = await context.store.findAccount(named);
  if (account !== undefined) return success(account.id);
  return refuseUnknownAccount(named);
}
