import type { Caller } from '../model/account.ts';
import { refused, type Outcome } from '../model/refusal.ts';
import { findAdminRefusal } from './authorise.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Any account's key. It is refused from the moment this is answered. The key that asks is spared, so that one
 * administrative key is always left.
 */
export async function revokeKey(
  context: OperationContext,
  caller: Caller,
  keyId: string,
): Promise<Outcome<null>> {
  const refusal = findAdminRefusal(caller);
  if (refusal !== undefined) return refusal;
  if (keyId === caller.keyId) {
    return refused('invalid_request', 'A key cannot revoke itself, use another admin key');
  }
  const outcome = await context.store.write({ kind: 'revokeKey', accountId: null, keyId });
  if (outcome.ok) context.callers.revoke(keyId);
  return outcome;
}
