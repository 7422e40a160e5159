import type { Caller } from '../model/account.ts';
import { done, refused, type Outcome } from '../model/refusal.ts';
import type { OperationContext } from './operation-context.ts';

/** Whose keys a request is about: the caller's own account, or for admin keys the one it names. */
export async function findKeyAccount(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<Outcome<string>> {
  if (named === undefined || named === caller.accountId) return done(caller.accountId);
  if (caller.scope !== 'admin') {
    return refused('forbidden', "Another account's keys need an API key with scope admin");
  }
  const account = await context.store.findAccount(named);
  if (account !== undefined) return done(account.id);
  return refused('unknown_account', `Invalid account ${JSON.stringify(named)}`, 'account');
}
