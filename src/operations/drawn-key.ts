// A new API key on its way into the store, and its text on the way back to whoever asked. Keeps neither.
import { assert } from '../base/assert.ts';
import type { ApiKey } from '../model/account.ts';
import type { SealedKey } from '../writes/command.ts';
import { hashApiKey, newApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import { openSealedText, sealText } from './sealed-text.ts';

export interface DrawnKey {
  readonly key: ApiKey;
  readonly keyText: string;
}

/** @param keyText one that is given; a new one if absent. */
export function drawKey(
  context: OperationContext,
  about: Pick<ApiKey, 'accountId' | 'scope' | 'label'>,
  keyText = newApiKey(),
): DrawnKey {
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  return { key: { id: context.newId(), ...about, hash: hashApiKey(keyText), createdAtSeconds }, keyText };
}

/** As the store is to keep it: with its text sealed where the request may be repeated. */
export function sealKey({ key, keyText }: DrawnKey, { terms }: Requester): SealedKey {
  const request = terms?.idempotency;
  return request === undefined ? { key } : { key, sealed: sealText(keyText, request) };
}

/** The text of the key that the store answered with: the one just drawn or, of a repeat, the one of the first time. */
export function getKeyText({ key, sealed }: SealedKey, drawn: DrawnKey, { terms }: Requester): string {
  if (key.id === drawn.key.id) return drawn.keyText;
  const request = terms?.idempotency;
  const text = request && sealed && openSealedText(sealed, request);
  assert(text !== undefined && hashApiKey(text) === key.hash, `the text sealed for key ${key.id} opens`);
  return text;
}
