import type { ApiKey } from '../model/account.ts';
import { refused, written, type WriteResult } from '../model/result.ts';
import { commitWrite } from './commit-write.ts';
import { generateKey, getKeyText, sealKey } from './generated-key.ts';
import { findKeyAccount } from './key-account.ts';
import { parseKeyLimits, type LimitsInput } from './new-key-limits.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

export interface NewKey extends LimitsInput {
  readonly label?: string;
  /** The caller's account if absent. */
  readonly account?: string;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown to the client only, never stored as plain text. In a dry run, it belongs to no key. */
  readonly keyText: string;
}

const MAX_LABEL_CHARACTERS = 200;

/** A repeat with the same idempotency key returns the text of the first key again. */
export async function createKey(
  context: OperationContext,
  caller: Requester,
  input: NewKey,
): Promise<WriteResult<CreatedKey>> {
  const account = await findKeyAccount(context, caller, input.account);
  if (!account.ok) return account;
  const label = input.label?.trim() ?? '';
  if (label.length > MAX_LABEL_CHARACTERS || /\p{Cc}/u.test(label)) {
    const rule = `label must be at most ${MAX_LABEL_CHARACTERS} printable characters`;
    return refused('invalid_request', rule, 'label');
  }
  const limits = await parseKeyLimits(context, caller, account.value, input);
  if (!limits.ok) return limits;
  const generated = generateKey(context, { accountId: account.value, label, ...limits.value });
  const command = {
    kind: 'createKey',
    ...accountTermsOf(context, caller),
    ...sealKey(generated, caller),
  } as const;
  const result = await commitWrite(context, command);
  if (!result.ok) return result;
  return written({ key: result.value.key, keyText: getKeyText(result.value, generated, caller) });
}
