import type { Caller } from '../model/account.ts';
import { refused, type Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * A key of the caller's account; for admin keys, of any. It is refused from the moment this is answered. The key that
 * asks is spared, so that one administrative key is always left.
 */
export async function revokeKey(
  context: OperationContext,
  caller: Caller,
  keyId: string,
): Promise<Outcome<null>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  if (keyId === caller.keyId) {
    return refused('invalid_request', 'A key can not revoke itself, use another key');
  }
  const accountId = caller.scope === 'admin' ? null : caller.accountId;
  const outcome = await context.store.write({ kind: 'revokeKey', accountId, keyId });
  if (outcome.ok) context.callers.revoke(keyId);
  return outcome;
}
