// The rules for what people say about themselves: name, e-mail address and new password.
import { checkPassword } from '../credentials/password.ts';
import { refused, success, type Result } from '../model/result.ts';
import { MAX_USER_NAME_CHARACTERS } from '../model/user.ts';
import type { OperationContext } from './operation-context.ts';
import { normaliseEmail } from './prove-password.ts';

/** The longest mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_CHARACTERS = 254;

export const EMAIL_FORM = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u;

export function parseUserName(text: string): Result<string> {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_USER_NAME_CHARACTERS && !/\p{Cc}/u.test(name)) return success(name);
  const rule = `name must be 1 to ${MAX_USER_NAME_CHARACTERS} printable characters`;
  return refused('invalid_request', rule, 'name');
}

/**
 * In lower case, as users are found by it.
 *
 * @param member of the body, that it comes from
 */
export function parseEmail(text: string, member = 'email'): Result<string> {
  const email = normaliseEmail(text);
  if (EMAIL_FORM.test(email) && email.length <= MAX_EMAIL_CHARACTERS) return success(email);
  const rule = `${member} must be a mail address of at most ${MAX_EMAIL_CHARACTERS} characters`;
  return refused('invalid_request', rule, member);
}

/**
 * Returns the hash of a new password.
 *
 * @param client as for `PasswordWork`
 */
export async function hashNewPassword(
  { passwords }: Pick<OperationContext, 'passwords'>,
  password: string,
  email: string,
  client: string,
): Promise<Result<string>> {
  const problem = checkPassword(password, email);
  if (problem !== undefined) return refused('invalid_request', problem, 'password');
  const hashed = await passwords.hash(password, client);
  if (hashed.ok) return success(hashed.value);
  return refused('busy', 'Too many users are signing in; nothing was changed, try again');
}
