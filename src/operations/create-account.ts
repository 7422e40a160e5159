// Opens an account together with its first key, in one commit.
import type { Account, ApiKey, KeyScope } from '../model/account.ts';
import { refused, success, written, type Result, type WriteResult } from '../model/result.ts';
import { commitWrite } from './commit-write.ts';
import { drawKey, getKeyText, sealKey, type DrawnKey } from './drawn-key.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
}

export interface CreatedAccount {
  readonly account: Account;
  readonly key: ApiKey;
  /** For whoever asked, never kept readable; of a dry run, it belongs to no key. */
  readonly keyText: string;
}

const MAX_NAME_CHARACTERS = 200;
/** Longest mail address (RFC 5321 section 4.5.3.1.3, less the angle brackets). */
const MAX_EMAIL_CHARACTERS = 254;

/** The account's first key has scope `full`. A repeat is told by its idempotency key, and gets that key's text again. */
export async function createAccount(
  context: OperationContext,
  caller: Requester,
  input: NewAccount,
): Promise<WriteResult<CreatedAccount>> {
  const checked = checkAccount(input);
  if (!checked.ok) return checked;
  const { account, drawn } = drawAccount(context, checked.value, 'full');
  const terms = accountTermsOf(context, caller);
  const command = { kind: 'createAccount', ...terms, account, ...sealKey(drawn, caller) } as const;
  const result = await commitWrite(context, command);
  if (!result.ok) return result;
  const made = result.value;
  return written({ account: made.account, key: made.key, keyText: getKeyText(made, drawn, caller) });
}

/**
 * For the start on an empty store: the account that may open others. No caller exists yet. Refused with `not_first` where
 * the store has an account already.
 */
export async function createFirstAccount(
  context: OperationContext,
  input: NewAccount,
  keyText: string,
): Promise<WriteResult<CreatedAccount>> {
  const checked = checkAccount(input);
  if (!checked.ok) return checked;
  const { account, drawn } = drawAccount(context, checked.value, 'admin', keyText);
  const { key } = drawn;
  const result = await commitWrite(context, { kind: 'createAccount', account, key, onlyFirst: true });
  return result.ok ? written({ account, key, keyText }) : result;
}

function drawAccount(
  context: OperationContext,
  input: NewAccount,
  scope: KeyScope,
  keyText?: string,
): { readonly account: Account; readonly drawn: DrawnKey } {
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  const account = { id: context.newId(), ...input, createdAtSeconds };
  return { account, drawn: drawKey(context, { accountId: account.id, scope, label: '' }, keyText) };
}

function checkAccount(input: NewAccount): Result<NewAccount> {
  const name = input.name.trim();
  const email = input.email.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    const rule = `name must be 1 to ${MAX_NAME_CHARACTERS} printable characters`;
    return refused('invalid_request', rule, 'name');
  }
  if (!/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email) || email.length > MAX_EMAIL_CHARACTERS) {
    const rule = `email must be a mail address of at most ${MAX_EMAIL_CHARACTERS} characters`;
    return refused('invalid_request', rule, 'email');
  }
  return success({ name, email });
}
