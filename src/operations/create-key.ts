import type { ApiKey, Caller, KeyScope } from '../model/account.ts';
import { done, refused, type Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
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

/** Only admin keys make admin keys: nobody gains more than they have. */
export async function createKey(
  context: OperationContext,
  caller: Caller,
  input: NewKey,
): Promise<Outcome<CreatedKey>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const scope = input.scope ?? 'full';
  if (scope === 'admin' && caller.scope !== 'admin') {
    return refused('forbidden', 'Keys of scope admin are made with API keys of scope admin');
  }
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
    scope,
    label,
    createdAtSeconds: Math.floor(context.clock.nowMs() / 1000),
  };
  const outcome = await context.store.write({ kind: 'createKey', key });
  return outcome.ok ? done({ key: outcome.value, keyText }) : outcome;
}
