import { refused, success, type Result } from '../model/result.ts';
import { MAX_USER_NAME_CHARACTERS, type User } from '../model/user.ts';
import type { ProviderPerson } from '../oidc/open-id-provider.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import { findInvitation } from './find-invitation.ts';
import type { OpenIdLogin } from './open-id-terms.ts';
import { authorOf } from './open-session.ts';
import type { OperationContext } from './operation-context.ts';
import type { Sender } from './sender.ts';
import { parseEmail, parseUserName } from './user-details.ts';

/**
 * Makes a member of a person who has signed in at the provider: a user that the person has linked, or a new one with the address
 * that the provider has verified.
 *
 * @param known the user with this identity; undefined: there is none yet
 */
export async function acceptWithIdentity(
  context: OperationContext,
  { invitation: token }: Pick<OpenIdLogin, 'invitation'>,
  person: ProviderPerson,
  known: User | undefined,
  sender: Sender,
): Promise<Result<User>> {
  const found = await findInvitation(context, token ?? '');
  if (!found.ok) return found;
  const { email, hash } = found.value.invitation;
  const user = known === undefined ? await describeNewUser(context, person) : success(known);
  if (!user.ok) return user;
  if (email !== null && email !== user.value.email)
    return refused('invalid_login', 'The invitation is for another e-mail address than that of your log-in');
  const { issuer, subject } = person;
  const identity = { issuer, subject };
  const accepted = await commitWrite(context, {
    kind: 'acceptInvitation',
    author: authorOf(context, user.value, sender),
    hash,
    user: user.value,
    proven: known === undefined ? null : { userId: known.id, passwordHash: null, identity },
    identity,
    atSeconds: Math.floor(context.clock.nowMs() / 1000),
  });
  if (!accepted.ok) return accepted;
  forgetUser(context, accepted.value.user.id);
  return success(accepted.value.user);
}

type NewUser = Pick<User, 'id' | 'email' | 'name' | 'passwordHash'>;

/** A user with the same address is not the same person, unless it has linked the identity itself. */
async function describeNewUser(
  context: OperationContext,
  { verifiedEmail, name: sentName }: ProviderPerson,
): Promise<Result<NewUser>> {
  if (verifiedEmail === undefined)
    return refused('invalid_login', 'The provider does not say that it has verified your e-mail address');
  const email = parseEmail(verifiedEmail);
  if (!email.ok) return email;
  const other = (await context.store.people.find('users', 'email', [email.value])).at(0);
  if (other !== undefined)
    return refused(
      'user_exists',
      'There is a user with your e-mail address: sign in another way, open the link again, and link the provider afterwards',
    );
  const name = parseUserName(sentName ?? email.value);
  return success({
    id: context.newId(),
    email: email.value,
    name: name.ok ? name.value : email.value.slice(0, MAX_USER_NAME_CHARACTERS),
    passwordHash: null,
  });
}
