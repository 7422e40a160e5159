import { assert } from '../base/assert.ts';
import type { Account, Caller } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { OperationContext } from './operation-context.ts';

/** The caller's own account. */
export async function getAccount(context: OperationContext, caller: Caller): Promise<Outcome<Account>> {
  const account = await context.store.findAccount(caller.accountId);
  assert(account !== undefined, 'every key belongs to an account');
  return done(account);
}
