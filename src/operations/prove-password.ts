// Proofs of who somebody is, by e-mail address and password. Neither the answer nor its time tells whether a user exists.
import type { ProvenIdentity } from '../model/identity.ts';
import type { Refused, Result } from '../model/result.ts';
import { refused, success } from '../model/result.ts';
import type { User } from '../model/user.ts';
import { noteFailedLogin } from './note-failed-login.ts';
import type { OperationContext } from './operation-context.ts';
import type { Sender } from './sender.ts';

export interface PasswordProof {
  readonly email: string;
  readonly password: string;
}

/** A user with the hash that the password was compared with. */
export interface ProvenUser {
  readonly user: User;
  readonly passwordHash: string | null;
  /** The proof in place of a password. */
  readonly identity?: ProvenIdentity | undefined;
}

export async function provePassword(
  context: OperationContext,
  { email, password }: PasswordProof,
  { network, address }: Pick<Sender, 'network' | 'address'>,
): Promise<Result<ProvenUser>> {
  const name = normaliseEmail(email);
  const { logins, monotonic, passwords, store } = context;
  const nowMs = monotonic.elapsedMs();
  const waitMs = logins.waitMs(name, network, nowMs);
  if (waitMs > 0) {
    noteFailedLogin(context, undefined, { address });
    return refuseDelayed(waitMs);
  }
  logins.begin(name, network, nowMs);
  const user = (await store.people.find('users', 'email', [name])).at(0);
  const passwordHash = user?.passwordHash ?? null;
  const verified = await passwords.verify(password, passwordHash ?? undefined, network);
  if (!verified.ok) return refused('busy', 'Too many users are signing in; nothing was changed, try again');
  if (!verified.value || user === undefined) {
    noteFailedLogin(context, user, { address });
    return refuseLogin();
  }
  logins.succeed(name, network);
  return success({ user, passwordHash });
}

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function refuseLogin(): Refused {
  return refused('invalid_login', 'The e-mail address or the password is wrong');
}

export function refuseDelayed(waitMs: number): Refused {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many failed log-ins; try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  return { ok: false, refusal: { code: 'login_delayed', message, retryAfterSeconds } };
}
