import { hashToken, isWellFormedToken } from '../credentials/one-time-token.ts';
import type { Caller, UserSession } from '../model/account.ts';
import { isLive, type Access, type Session, type User } from '../model/user.ts';
import { callerOfUser } from './caller-of-user.ts';
import type { OperationContext } from './operation-context.ts';

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
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  if (found === undefined || !isLive(found.session, nowSeconds)) return undefined;
  return callerOfUser(found, accountId, nowSeconds);
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
  const accesses = await findAccesses(context, user, session);
  const found = { user, session, ...(await findMemberships(context, user)), accesses };
  sessions.remember(hash, found, nowMs, generation);
  return found;
}

/** The memberships of a user, without those in deleted accounts. */
export async function findMemberships(
  { store }: Pick<OperationContext, 'store'>,
  { id }: Pick<User, 'id'>,
): Promise<Pick<UserSession, 'memberships' | 'deletedAccountIds'>> {
  const all = await store.people.find('memberships', 'userId', [id]);
  const deletedAccountIds = await store.accounts.deletedAmong(all.map(({ accountId }) => accountId));
  const memberships = all.filter(({ accountId }) => !deletedAccountIds.includes(accountId));
  return { memberships, deletedAccountIds };
}

/** Only operators have some. */
async function findAccesses(
  { store }: Pick<OperationContext, 'store'>,
  user: User,
  session: Session,
): Promise<readonly Access[]> {
  if (!user.isOperator) return [];
  const accesses = await store.people.find('accesses', 'userId', [user.id]);
  return accesses.filter(({ sessionId }) => sessionId === session.id);
}

/** To be called after each write that changes a user, its sessions, accesses or memberships. */
export function forgetUser({ sessions }: Pick<OperationContext, 'sessions'>, userId: string): void {
  sessions.forget(({ user }) => user.id === userId);
}
