// Proofs of who somebody is, by e-mail address and password, and by a code if the user has set them up. Before the password was right,
// neither the answer nor its time tells whether a user exists.
import type { ProvenIdentity } from '../model/identity.ts';
import { refuseLogin } from '../model/refuse-login.ts';
import type { ProviderPerson } from '../oidc/open-id-provider.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { Session, User } from '../model/user.ts';
import type { FactorUse } from '../writes/factor-command.ts';
import { beginLogin } from './begin-login.ts';
import { noteFailedLogin } from './note-failed-login.ts';
import type { OperationContext } from './operation-context.ts';
import { proveCode } from './prove-code.ts';
import type { Sender } from './sender.ts';

export interface PasswordProof {
  readonly email: string;
  readonly password: string;
  /** A one-time code or a recovery code. */
  readonly code?: string | undefined;
}

/** A user with what the session rests on: it is refused if that was changed or used meanwhile. */
export interface ProvenUser {
  readonly user: User;
  /** The hash that the password was compared with; null: another proof. */
  readonly passwordHash: string | null;
  readonly factor?: FactorUse | undefined;
  /** The user has proven nothing now: the new session is neither fresher than this one nor longer. */
  readonly goesOn?: Session | undefined;
  /** The proof in place of a password. The session is fresh as of the time at which the provider has asked, if it says. */
  readonly identity?: (ProvenIdentity & Pick<ProviderPerson, 'provenAtSeconds'>) | undefined;
}

export async function provePassword(
  context: OperationContext,
  { email, password, code }: PasswordProof,
  { network, address }: Pick<Sender, 'network' | 'address'>,
): Promise<Result<ProvenUser>> {
  const name = normaliseEmail(email);
  const { logins, passwords, store } = context;
  const delayed = beginLogin(context, name, { network, address });
  if (delayed !== undefined) return delayed;
  const user = (await store.people.find('users', 'email', [name])).at(0);
  const passwordHash = user?.passwordHash ?? null;
  const verified = await passwords.verify(password, passwordHash ?? undefined, network);
  if (!verified.ok) return refused('busy', 'Too many users are signing in; nothing was changed, try again');
  if (!verified.value || user === undefined) {
    noteFailedLogin(context, user, { address });
    return refuseLogin();
  }
  const factor = await proveCode(context, user, code);
  if (!factor.ok) {
    if (isFailure(factor)) noteFailedLogin(context, user, { address });
    else logins.withdraw(name, network);
    return factor;
  }
  logins.succeed(name, network);
  return success({ user, passwordHash, factor: factor.value });
}

/** Nothing was wrong if a code is still to come, or cannot be checked. */
function isFailure({ refusal: { code } }: Refused): boolean {
  return code !== 'second_factor_required' && code !== 'factor_unavailable';
}

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
