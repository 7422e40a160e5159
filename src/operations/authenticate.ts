// Finds the caller of an API key. The checksum rejects typing errors and foreign keys without a query to the store.
import type { Caller } from '../model/account.ts';
import { isWellFormedApiKey } from '../model/api-key.ts';
import { hashApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** `zw_`, 32 random characters and a checksum of six. */
const KEY_CHARACTERS = 41;

/**
 * Returns undefined if the key is unknown. The lookup is by hash, so its timing reveals nothing about similar keys.
 *
 * @throws StoreUnavailable also if the store does not have its first account yet
 */
export async function authenticate(context: OperationContext, keyText: string): Promise<Caller | undefined> {
  if (keyText.length !== KEY_CHARACTERS) return undefined;
  const hash = hashApiKey(keyText);
  const nowMs = context.monotonic.elapsedMs();
  const known = context.callers.find(hash, nowMs);
  if (known !== undefined) return known;
  if (!isWellFormedApiKey(keyText)) return undefined;
  const generation = context.callers.generation();
  const key = await context.store.findKeyByHash(hash);
  if (key !== undefined) return context.callers.remember(key, nowMs, generation);
  // It may be the key that the first account is about to get.
  if (context.hasFirstAccount?.() === false)
    throw new StoreUnavailable('the first account has not been created yet');
  return undefined;
}
