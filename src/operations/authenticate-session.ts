import { hashToken, isWellFormedToken } from '../credentials/one-time-token.ts';
import type { Caller } from '../model/account.ts';
import { isLive } from '../model/user.ts';
import { callerOfUser } from './caller-of-user.ts';
import type { OperationContext, UserSession } from './operation-context.ts';

/**
 * Finds the user of a session. Returns undefined if there is no such session, or it is over.
 *
 * @param accountId the account that the request names
 */
export async function authenticateSession(
  context: OperationContext,
  token: string,
  accountId: string | undefined,
): Promise<Caller | undefined> {
  if (!isWellFormedToken(token, 'session')) return undefined;
  const found = await findSession(context, hashToken(token));
  if (found === undefined || !isLive(found.session, Math.floor(context.clock.nowMs() / 1000)))
    return undefined;
  return callerOfUser(found, accountId);
}

async function findSession(context: OperationContext, hash: string): Promise<UserSession | undefined> {
  const { sessions, store } = context;
  const nowMs = context.monotonic.elapsedMs();
  const known = sessions.find(hash, nowMs);
  if (known !== undefined) return known;
  const generation = sessions.generation();
  const session = (await store.people.find('sessions', 'hash', [hash])).at(0);
  if (session === undefined) return undefined;
  const user = (await store.people.find('users', 'id', [session.userId])).at(0);
  if (user === undefined) return undefined;
  const memberships = await store.people.find('memberships', 'userId', [user.id]);
  const found = { user, session, memberships };
  sessions.remember(hash, found, nowMs, generation);
  return found;
}

/** To be called after each write that changes a user, its sessions or its memberships. */
export function forgetUser({ sessions }: Pick<OperationContext, 'sessions'>, userId: string): void {
  sessions.forget(({ user }) => user.id === userId);
}
