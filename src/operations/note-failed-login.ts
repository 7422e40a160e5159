import type { User } from '../model/user.ts';
import type { OperationContext } from './operation-context.ts';
import type { Sender } from './sender.ts';

/**
 * Notes a failed log-in in each account of the user, or for operators if there is no such user. It takes as long for both, so
 * that no time tells which of them it was.
 *
 * @param user whom the client claimed to be; undefined: nobody
 * @param proof such as that of a provider; absent: a password, code or passkey
 */
export function noteFailedLogin(
  { trail }: Pick<OperationContext, 'trail'>,
  user: Pick<User, 'id' | 'email'> | undefined,
  { address }: Pick<Sender, 'address'>,
  proof?: string,
): void {
  const sender = { keyId: '', terms: { address } };
  const about =
    user === undefined
      ? { accountId: '', object: '', detail: { with: proof } }
      : { accountId: null, object: user.id, detail: { email: user.email, with: proof } };
  trail.note(sender, { action: 'session.refuse', ...about });
}
