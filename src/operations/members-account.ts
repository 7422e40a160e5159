import type { Caller } from '../model/account.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { success, type Result } from '../model/result.ts';
import { authorise } from './authorise.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Returns the id of the account whose users a request is about: the named one, or the caller's own. Administrators and operators
 * may name any; what they give away there is decided by `writes`.
 */
export async function findMembersAccount(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
  verb: 'read' | 'write',
): Promise<Result<string>> {
  const accountId = named ?? caller.accountId;
  const isOwn = accountId === caller.accountId;
  const needs = isOwn ? ([`users:${verb}`, `accounts:${verb}`] as const) : (`accounts:${verb}` as const);
  const missing = accountId === '' ? caller.signedIn?.accountRefusal : undefined;
  const refusal = missing ?? authorise(caller, { needs });
  if (refusal !== undefined) return { ok: false, refusal };
  if (isOwn || (await context.store.findAccount(accountId)) !== undefined) return success(accountId);
  return refuseUnknownAccount(accountId);
}
