import { refused, written, type WriteResult } from '../model/result.ts';
import { hasSome } from '../model/rights.ts';
import { commitWrite } from './commit-write.ts';
import type { CreatedKey } from './create-key.ts';
import { generateKey, getKeyText, sealKey } from './generated-key.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

/** Long enough to bring the new key to every machine. */
export const MAX_OVERLAP_SECONDS = 30 * 86_400;

/**
 * Creates a key that takes the place of another one, with the same scope, label and limits. The other one is refused when
 * the overlap is over. A repeat with the same idempotency key returns the text of the first key again.
 */
export async function rotateKey(
  context: OperationContext,
  caller: Requester,
  keyId: string,
  overlapSeconds = 0,
): Promise<WriteResult<CreatedKey>> {
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
    const rule = `overlap must be a whole number of seconds from 0 to ${MAX_OVERLAP_SECONDS}`;
    return refused('invalid_request', rule, 'overlap');
  }
  const generated = generateKey(context, { accountId: caller.accountId, scope: 'limited', label: '' });
  const { createdAtSeconds } = generated.key;
  const terms = accountTermsOf(context, caller);
  const result = await commitWrite(context, {
    kind: 'rotateKey',
    ...terms,
    ...sealKey(generated, caller),
    accountId: hasSome(caller.rights, 'accounts:write') ? null : caller.accountId,
    keyId,
    within: caller.rights,
    formerExpiresAtSeconds: overlapSeconds === 0 ? null : createdAtSeconds + overlapSeconds,
  });
  if (!result.ok) return result;
  if (!terms.dryRun) context.callers.forget((other) => other.keyId === keyId);
  return written({ key: result.value.key, keyText: getKeyText(result.value, generated, caller) });
}
