// Key text → caller. The checksum keeps typing errors and foreign keys away from the store.
import type { Caller } from '../model/account.ts';
import { isWellFormedApiKey } from '../model/api-key.ts';
import { hashApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';

/** `zw_`, 32 random characters, six of checksum. */
const KEY_CHARACTERS = 41;

/** Undefined: no such key. The look-up is by hash, so its time says nothing about how near a guess came. */
export async function authenticate(context: OperationContext, keyText: string): Promise<Caller | undefined> {
  if (keyText.length !== KEY_CHARACTERS) return undefined;
  const hash = hashApiKey(keyText);
  const nowMs = context.clock.nowMs();
  const known = context.callers.find(hash, nowMs);
  if (known !== undefined) return known;
  if (!isWellFormedApiKey(keyText)) return undefined;
  const generation = context.callers.generation();
  const key = await context.store.findKeyByHash(hash);
  return key === undefined ? undefined : context.callers.remember(key, nowMs, generation);
}
