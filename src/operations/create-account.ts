// Creates an account and its first key in one commit.
import type { Account, ApiKey, KeyScope } from '../model/account.ts';
import { refused, success, written, type Result, type WriteResult } from '../model/result.ts';
import { serviceAuthor } from '../writes/author.ts';
import { commitWrite } from './commit-write.ts';
import { generateKey, getKeyText, sealKey, type GeneratedKey } from './generated-key.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import { EMAIL_FORM, MAX_EMAIL_CHARACTERS } from './user-details.ts';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
}

export interface CreatedAccount {
  readonly account: Account;
  readonly key: ApiKey;
  /** Shown to the client only, never stored as plain text. In a dry run, it belongs to no key. */
  readonly keyText: string;
}

const MAX_NAME_CHARACTERS = 200;

/** The first key has scope `full`. A repeat with the same idempotency key returns the text of the first key again. */
export async function createAccount(
  context: OperationContext,
  caller: Requester,
  input: NewAccount,
): Promise<WriteResult<CreatedAccount>> {
  const checked = checkAccount(input);
  if (!checked.ok) return checked;
  const { account, generated } = generateAccount(context, checked.value, 'full');
  const terms = accountTermsOf(context, caller);
  const command = { kind: 'createAccount', ...terms, account, ...sealKey(generated, caller) } as const;
  const result = await commitWrite(context, command);
  if (!result.ok) return result;
  const made = result.value;
  return written({ account: made.account, key: made.key, keyText: getKeyText(made, generated, caller) });
}

/**
 * Creates the first account of an empty store, with an admin key. There is no caller yet. Refused with `not_first` if the
 * store already has an account.
 */
export async function createFirstAccount(
  context: OperationContext,
  input: NewAccount,
  keyText: string,
): Promise<WriteResult<CreatedAccount>> {
  const checked = checkAccount(input);
  if (!checked.ok) return checked;
  const { account, generated } = generateAccount(context, checked.value, 'admin', keyText);
  const { key } = generated;
  const author = serviceAuthor(context.clock.nowMs());
  const result = await commitWrite(context, { kind: 'createAccount', author, account, key, onlyFirst: true });
  return result.ok ? written({ account, key, keyText }) : result;
}

function generateAccount(
  context: OperationContext,
  input: NewAccount,
  scope: KeyScope,
  keyText?: string,
): { readonly account: Account; readonly generated: GeneratedKey } {
  const account = newAccount(context, input);
  return { account, generated: generateKey(context, { accountId: account.id, scope, label: '' }, keyText) };
}

export function newAccount({ clock, newId }: OperationContext, { name, email }: NewAccount): Account {
  return { id: newId(), name, email, createdAtSeconds: Math.floor(clock.nowMs() / 1000) };
}

export function checkAccount(input: NewAccount): Result<NewAccount> {
  const name = input.name.trim();
  const email = input.email.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    const rule = `name must be 1 to ${MAX_NAME_CHARACTERS} printable characters`;
    return refused('invalid_request', rule, 'name');
  }
  if (!EMAIL_FORM.test(email) || email.length > MAX_EMAIL_CHARACTERS) {
    const rule = `email must be a mail address of at most ${MAX_EMAIL_CHARACTERS} characters`;
    return refused('invalid_request', rule, 'email');
  }
  return success({ name, email });
}
