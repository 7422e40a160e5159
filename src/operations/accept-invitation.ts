import { refused, success, type Result } from '../model/result.ts';
import type { Invitation, User } from '../model/user.ts';
import type { CommandOf } from '../writes/command.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import { findInvitation, type FoundInvitation } from './find-invitation.ts';
import type { OperationContext } from './operation-context.ts';
import { authorOf, enterSession, newSession, type OpenedSession } from './open-session.ts';
import { provePassword, type ProvenUser } from './prove-password.ts';
import type { Sender } from './sender.ts';
import { hashNewPassword, parseEmail, parseUserName } from './user-details.ts';

export interface Acceptance {
  readonly token: string;
  /** Needed if the invitation names none. */
  readonly email?: string;
  /** Needed for a new user. */
  readonly name?: string;
  /** New for a new user and for a recovery; that of a user who has one, unless the user has signed in. */
  readonly password?: string;
  /** A one-time code or a recovery code of a user who has set them up. */
  readonly code?: string;
}

/** The person who accepts, as the command needs it. */
type Accepting = Pick<CommandOf<'acceptInvitation'>, 'user' | 'proven'> & Pick<ProvenUser, 'goesOn'>;

/** Makes a member or sets a new password, and signs the user in, in one step: the proof is used up once for all of it. */
export async function acceptInvitation(
  context: OperationContext,
  acceptance: Acceptance,
  sender: Sender,
): Promise<Result<OpenedSession>> {
  const found = await findInvitation(context, acceptance.token);
  if (!found.ok) return found;
  const accepting = await findAccepting(context, found.value, acceptance, sender);
  if (!accepting.ok) return accepting;
  const atSeconds = Math.floor(context.clock.nowMs() / 1000);
  const { hash } = found.value.invitation;
  const { goesOn, ...about } = accepting.value;
  const drawn = newSession(context, about.user, sender, { goesOn });
  const accepted = await commitWrite(context, {
    kind: 'acceptInvitation',
    author: authorOf(context, about.user, sender),
    hash,
    ...about,
    session: drawn.session,
    atSeconds,
  });
  if (!accepted.ok) return accepted;
  const { user } = accepted.value;
  forgetUser(context, user.id);
  return success(await enterSession(context, user, drawn, sender));
}

async function findAccepting(
  context: OperationContext,
  { invitation, recovered }: FoundInvitation,
  acceptance: Acceptance,
  sender: Sender,
): Promise<Result<Accepting>> {
  if (recovered !== undefined) return newUser(context, recovered, acceptance.password, sender);
  const email = emailOf(invitation, acceptance);
  if (!email.ok) return email;
  const own = sender.caller?.signedIn;
  if (own?.user.email === email.value) {
    const proven = { userId: own.user.id, passwordHash: null };
    return success({ user: own.user, proven, goesOn: own.session });
  }
  const known = (await context.store.people.find('users', 'email', [email.value])).at(0);
  if (known !== undefined) {
    const { password = '', code } = acceptance;
    const proven = await provePassword(context, { email: email.value, password, code }, sender);
    if (!proven.ok) return proven;
    const { user, ...proof } = proven.value;
    return success({ user, proven: { userId: user.id, ...proof } });
  }
  if (acceptance.name === undefined) return refused('invalid_request', 'name is required', 'name');
  const name = parseUserName(acceptance.name);
  if (!name.ok) return name;
  const user = { id: context.newId(), email: email.value, name: name.value };
  return newUser(context, user, acceptance.password, sender);
}

function emailOf({ email }: Invitation, acceptance: Acceptance): Result<string> {
  if (email === null)
    return acceptance.email === undefined
      ? refused('invalid_request', 'email is required, because the invitation names none', 'email')
      : parseEmail(acceptance.email);
  const sent = acceptance.email === undefined ? success(email) : parseEmail(acceptance.email);
  if (!sent.ok || sent.value === email) return sent;
  return refused('invalid_request', 'The invitation is for another e-mail address', 'email');
}

async function newUser(
  context: OperationContext,
  { id, email, name }: Pick<User, 'id' | 'email' | 'name'>,
  password: string | undefined,
  { network }: Sender,
): Promise<Result<Accepting>> {
  if (password === undefined) return refused('invalid_request', 'password is required', 'password');
  const passwordHash = await hashNewPassword(context, password, email, network);
  if (!passwordHash.ok) return passwordHash;
  const user = { id, email, name, passwordHash: passwordHash.value };
  return success({ user, proven: null });
}
