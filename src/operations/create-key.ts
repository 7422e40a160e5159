import type { ApiKey, Caller, KeyScope } from '../model/account.ts';
import { done, refused, type Outcome } from '../model/refusal.ts';
import { findKeyAccount } from './key-account.ts';
import { hashApiKey, newApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';

export interface NewKey {
  readonly label?: string;
  readonly scope?: KeyScope;
  /** The caller's own account when absent. */
  readonly account?: string;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown once, never kept. */
  readonly keyText: string;
}

const maxLabelCharacters = 200;

export async function createKey(
  context: OperationContext,
  caller: Caller,
  input: NewKey,
): Promise<Outcome<CreatedKey>> {
  const account = await findKeyAccount(context, caller, input.account);
  if (!account.ok) return account;
  const label = input.label?.trim() ?? '';
  if (label.length > maxLabelCharacters || /\p{Cc}/u.test(label)) {
    const rule = `label must be at most ${maxLabelCharacters} printable characters`;
    return refused('invalid_request', rule, 'label');
  }
  const keyText = newApiKey();
  const key: ApiKey = {
    id: context.newId(),
    accountId: account.value,
    hash: hashApiKey(keyText),
    scope: input.scope ?? 'full',
    label,
    createdAtSeconds: Math.floor(context.clock.nowMs() / 1000),
  };
  const outcome = await context.store.write({ kind: 'createKey', key });
  return outcome.ok ? done({ key: outcome.value, keyText }) : outcome;
}
