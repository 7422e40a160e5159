// Finds the caller of an API key. The checksum rejects typing errors and foreign keys without a query to the store.
import type { Caller, KeyLimits } from '../model/account.ts';
import { isWellFormedApiKey } from '../model/api-key.ts';
import { deletedAccount } from '../model/account-standing.ts';
import { includesAddress } from '../model/network.ts';
import type { Refusal } from '../model/refusal.ts';
import { rightsOf } from '../model/scope-rights.ts';
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
  if (key !== undefined) {
    const { accountId, id: keyId, limits } = key;
    const isDeleted = (await context.store.accounts.deletedAmong([accountId])).length > 0;
    const refusal = isDeleted ? deletedAccount : undefined;
    const caller = { accountId, keyId, rights: rightsOf(key), limits, refusal };
    context.callers.remember(hash, caller, nowMs, generation);
    return caller;
  }
  // It may be the key that the first account is about to get.
  if (context.hasFirstAccount?.() === false)
    throw new StoreUnavailable('the first account has not been created yet');
  return undefined;
}

/**
 * Notes that a key or a session is used, and returns why the key cannot be used now or from there.
 *
 * @param address the client's; undefined if it is unknown
 */
export function findUseRefusal(
  context: OperationContext,
  caller: Pick<Caller, 'accountId' | 'keyId' | 'limits' | 'refusal' | 'signedIn'>,
  address: string | undefined,
): Refusal | undefined {
  const { accountId, keyId, limits, signedIn } = caller;
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  if (signedIn !== undefined) {
    context.sessionUses.note(signedIn.session.id, nowSeconds);
    return undefined;
  }
  const refusal = caller.refusal ?? (limits && findLimit(limits, address, nowSeconds));
  if (refusal === undefined) {
    context.keyUses.note(keyId, nowSeconds);
    return undefined;
  }
  const detail = { reason: refusal.message };
  context.trail.note(
    { keyId, terms: { address } },
    { accountId, action: 'key.refuse', object: keyId, detail },
  );
  return refusal;
}

function findLimit(
  { networks, expiresAtSeconds }: KeyLimits,
  address: string | undefined,
  nowSeconds: number,
): Refusal | undefined {
  if (expiresAtSeconds !== null && expiresAtSeconds <= nowSeconds)
    return forbidden('This API key has expired');
  if (networks === null) return undefined;
  if (address === undefined)
    return forbidden('This API key can be used from some networks only, and the client’s address is unknown');
  if (networks.some((network) => includesAddress(network, address))) return undefined;
  return forbidden(`This API key cannot be used from ${address}`);
}

function forbidden(message: string): Refusal {
  return { code: 'forbidden', message };
}
