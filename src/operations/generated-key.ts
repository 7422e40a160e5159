// Generates API keys, seals their texts for the store, and recovers them for repeated requests.
import { assert } from '../base/assert.ts';
import type { ApiKey } from '../model/account.ts';
import type { SealedKey } from '../writes/command.ts';
import { hashApiKey, newApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import { openSealedText, sealText } from './sealed-text.ts';

export interface GeneratedKey {
  readonly key: ApiKey;
  readonly keyText: string;
}

/** @param keyText the text of the key; generated if absent */
export function generateKey(
  context: OperationContext,
  about: Pick<ApiKey, 'accountId' | 'scope' | 'label' | 'limits'>,
  keyText = newApiKey(),
): GeneratedKey {
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  return { key: { id: context.newId(), ...about, hash: hashApiKey(keyText), createdAtSeconds }, keyText };
}

/** Prepares the key for the store, with its text sealed if the request can be repeated. */
export function sealKey({ key, keyText }: GeneratedKey, { terms }: Requester): SealedKey {
  const request = terms?.idempotency;
  return request === undefined ? { key } : { key, sealed: sealText(keyText, request) };
}

/** Returns the text of the key in the store's result: the generated key or, for a repeat, the first key. */
export function getKeyText(
  { key, sealed }: SealedKey,
  generated: GeneratedKey,
  { terms }: Requester,
): string {
  if (key.id === generated.key.id) return generated.keyText;
  const request = terms?.idempotency;
  const text = request && sealed && openSealedText(sealed, request);
  assert(
    text !== undefined && hashApiKey(text) === key.hash,
    `the sealed text of key ${key.id} can be opened`,
  );
  return text;
}
