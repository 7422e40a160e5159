// Users see, confirm and end their own sessions.
import { assert } from '../base/assert.ts';
import type { PasskeySite, SentAssertion } from '../credentials/passkey.ts';
import type { SignedIn } from '../model/account.ts';
import { refusePasskey } from '../model/refuse-login.ts';
import { refused, success, type ReadResult, type Result, type WriteResult } from '../model/result.ts';
import { FRESH_SECONDS, isLive, type Session, type User } from '../model/user.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { showSession, type ShownSession } from './open-session.ts';
import { provePasskey } from './prove-passkey.ts';
import { provePassword, type ProvenUser } from './prove-password.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import type { Sender } from './sender.ts';

/** Routes that need `user` have one. */
export function getSignedIn({ signedIn }: Pick<Requester, 'signedIn'>): SignedIn {
  assert(signedIn !== undefined, 'the gate admits only users here');
  return signedIn;
}

export async function getSession(
  context: OperationContext,
  requester: Requester,
): Promise<ReadResult<ShownSession>> {
  const { user, session } = getSignedIn(requester);
  return success(await showSession(context, user, session));
}

/** All that are not over, the latest first. */
export async function listSessions(
  context: OperationContext,
  requester: Requester,
): Promise<ReadResult<readonly Session[]>> {
  const { user } = getSignedIn(requester);
  const sessions = await context.store.people.find('sessions', 'userId', [user.id]);
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  return success(sessions.filter((session) => isLive(session, nowSeconds)).reverse());
}

/** @param sessionId undefined: all of the user, this one included */
export async function endSessions(
  context: OperationContext,
  requester: Requester,
  sessionId: string | undefined,
): Promise<WriteResult<null>> {
  const { user } = getSignedIn(requester);
  const terms = accountTermsOf(context, requester);
  const about = { userId: user.id, sessionId: sessionId ?? null };
  const result = await commitWrite(context, { kind: 'endSessions', ...terms, ...about });
  if (result.ok && terms.dryRun !== true) forgetUser(context, user.id);
  return result;
}

/** The proof that a user shows again. */
export type Confirmation =
  | { readonly kind: 'password'; readonly password: string; readonly code: string | undefined }
  | { readonly kind: 'passkey'; readonly sent: SentAssertion; readonly site: PasskeySite | undefined };

/** The user proves again who it is. */
export async function confirmSession(
  context: OperationContext,
  requester: Requester,
  confirmation: Confirmation,
  network: string,
): Promise<Result<ShownSession>> {
  const { user, session } = getSignedIn(requester);
  const sender = { network, address: requester.terms?.address };
  const proven = await proveAgain(context, user, confirmation, sender);
  if (!proven.ok) return proven;
  const { passwordHash, factor } = proven.value;
  const freshUntilSeconds = Math.floor(context.clock.nowMs() / 1000) + FRESH_SECONDS;
  const confirmed = await commitWrite(context, {
    kind: 'confirmSession',
    ...accountTermsOf(context, requester),
    userId: user.id,
    sessionId: session.id,
    freshUntilSeconds,
    passwordHash,
    factor,
  });
  if (!confirmed.ok) return confirmed;
  forgetUser(context, user.id);
  return success(await showSession(context, user, confirmed.value));
}

async function proveAgain(
  context: OperationContext,
  { id, email, passwordHash }: User,
  confirmation: Confirmation,
  sender: Pick<Sender, 'network' | 'address'>,
): Promise<Result<ProvenUser>> {
  if (confirmation.kind === 'password') {
    const { password, code } = confirmation;
    if (passwordHash !== null) return provePassword(context, { email, password, code }, sender);
    return refused('invalid_login', 'You have no password; confirm the session with a passkey');
  }
  const proven = await provePasskey(context, confirmation.sent, confirmation.site, sender);
  return proven.ok && proven.value.user.id !== id ? refusePasskey() : proven;
}
