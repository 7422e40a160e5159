// Users see, confirm and end their own sessions.
import { assert } from '../base/assert.ts';
import type { SignedIn } from '../model/account.ts';
import { refused, success, type ReadResult, type Result, type WriteResult } from '../model/result.ts';
import { FRESH_SECONDS, isLive, type Session } from '../model/user.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { showSession, type ShownSession } from './open-session.ts';
import { provePassword } from './prove-password.ts';
import { accountTermsOf, type Requester } from './requester.ts';

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

/** The user proves again who it is. */
export async function confirmSession(
  context: OperationContext,
  requester: Requester,
  password: string,
  network: string,
): Promise<Result<ShownSession>> {
  const { user, session } = getSignedIn(requester);
  if (user.passwordHash === null)
    return refused('invalid_login', 'You have no password; confirm the session with a passkey');
  const sender = { network, address: requester.terms?.address };
  const proven = await provePassword(context, { email: user.email, password }, sender);
  if (!proven.ok) return proven;
  const { passwordHash } = proven.value;
  const freshUntilSeconds = Math.floor(context.clock.nowMs() / 1000) + FRESH_SECONDS;
  const confirmed = await commitWrite(context, {
    kind: 'confirmSession',
    ...accountTermsOf(context, requester),
    userId: user.id,
    sessionId: session.id,
    freshUntilSeconds,
    passwordHash,
  });
  if (!confirmed.ok) return confirmed;
  forgetUser(context, user.id);
  return success(await showSession(context, user, confirmed.value));
}
