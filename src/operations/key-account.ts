import type { Caller } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import type { OperationContext } from './operation-context.ts';

/** Whose keys an administrator's request is about: its own account's, or those of the account it names. */
export async function findKeyAccount(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<Outcome<string>> {
  if (named === undefined || named === caller.accountId) return done(caller.accountId);
  const account = await context.store.findAccount(named);
  if (account !== undefined) return done(account.id);
  return refuseUnknownAccount(named);
}
