// Opens an account together with its first key, in one commit.
import type { Account, ApiKey, Caller, KeyScope } from '../model/account.ts';
import { done, refused, type Outcome } from '../model/refusal.ts';
import { findAdminRefusal } from './authorise.ts';
import { hashApiKey, newApiKey } from './new-api-key.ts';
import type { OperationContext } from './operation-context.ts';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
}

export interface CreatedAccount {
  readonly account: Account;
  readonly key: ApiKey;
  /** Shown once, never kept. */
  readonly keyText: string;
}

const maxNameCharacters = 200;
/** Longest mail address (RFC 5321 section 4.5.3.1.3, less the angle brackets). */
const maxEmailCharacters = 254;

/** The account's first key has scope `full`. */
export async function createAccount(
  context: OperationContext,
  caller: Caller,
  input: NewAccount,
): Promise<Outcome<CreatedAccount>> {
  return findAdminRefusal(caller) ?? openAccount(context, input, { scope: 'full', keyText: newApiKey() });
}

/**
 * For the start on an empty store: the account that may open others. No caller exists yet. Refused with `not_first` where
 * the store has an account already.
 */
export function createFirstAccount(
  context: OperationContext,
  input: NewAccount,
  keyText: string,
): Promise<Outcome<CreatedAccount>> {
  return openAccount(context, input, { scope: 'admin', keyText, onlyFirst: true });
}

async function openAccount(
  context: OperationContext,
  input: NewAccount,
  { scope, keyText, ...terms }: { scope: KeyScope; keyText: string; onlyFirst?: true },
): Promise<Outcome<CreatedAccount>> {
  const name = input.name.trim();
  const email = input.email.trim();
  if (name === '' || name.length > maxNameCharacters || /\p{Cc}/u.test(name)) {
    const rule = `name must be 1 to ${maxNameCharacters} printable characters`;
    return refused('invalid_request', rule, 'name');
  }
  if (!/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email) || email.length > maxEmailCharacters) {
    const rule = `email must be a mail address of at most ${maxEmailCharacters} characters`;
    return refused('invalid_request', rule, 'email');
  }
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  const account = { id: context.newId(), name, email, createdAtSeconds };
  const hash = hashApiKey(keyText);
  const key = { id: context.newId(), accountId: account.id, hash, scope, label: '', createdAtSeconds };
  const outcome = await context.store.write({ kind: 'createAccount', account, key, ...terms });
  return outcome.ok ? done({ account: outcome.value, key, keyText }) : outcome;
}
