import type { ApiKey } from '../model/account.ts';
import { hasSome } from '../model/rights.ts';
import { refused, type WriteResult } from '../model/result.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

/**
 * Revokes a key of the account; of an administrator, a key of any account. The key is refused as soon as this is answered. A key cannot revoke itself, so that one
 * admin key always remains.
 */
export async function revokeKey(
  context: OperationContext,
  caller: Requester,
  keyId: string,
): Promise<WriteResult<ApiKey>> {
  if (keyId === caller.keyId) {
    return refused('invalid_request', 'A key cannot revoke itself; use another admin key');
  }
  const terms = accountTermsOf(context, caller);
  const accountId = hasSome(caller.rights, 'accounts:write') ? null : caller.accountId;
  const result = await commitWrite(context, { kind: 'revokeKey', ...terms, accountId, keyId });
  if (result.ok && !terms.dryRun) context.callers.forget((other) => other.keyId === keyId);
  return result;
}
