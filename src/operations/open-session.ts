import { newOneTimeToken } from '../credentials/one-time-token.ts';
import type { Account, UserSession } from '../model/account.ts';
import { success, type Result } from '../model/result.ts';
import {
  authorOfUser,
  freshUntil,
  MAX_AGENT_CHARACTERS,
  SESSION_LIFETIME_SECONDS,
  type Membership,
  type Session,
  type User,
} from '../model/user.ts';
import { findMemberships, forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import type { ProvenUser } from './prove-password.ts';
import type { Sender } from './sender.ts';

/** A user sees all of it. */
export interface ShownSession extends Omit<UserSession, 'accesses'> {
  /** Those that it belongs to. */
  readonly accounts: readonly Account[];
}

export interface OpenedSession extends ShownSession {
  /** For the cookie; the store has only its hash. */
  readonly token: string;
}

/** The session that the client had ends: nobody can prepare one for somebody else. */
export async function openSession(
  context: OperationContext,
  { user, goesOn, identity: proven, ...proof }: ProvenUser,
  sender: Sender,
): Promise<Result<OpenedSession>> {
  const drawn = newSession(context, user, sender, { goesOn, identity: proven });
  const identity = proven && { issuer: proven.issuer, subject: proven.subject };
  const author = authorOf(context, user, sender);
  const { session } = drawn;
  const opened = await commitWrite(context, { kind: 'createSession', author, session, ...proof, identity });
  return opened.ok ? success(await enterSession(context, user, drawn, sender)) : opened;
}

interface DrawnSession {
  readonly session: Session;
  readonly token: string;
}

/** By default, the user has just proved who it is. */
export function newSession(
  context: OperationContext,
  { id: userId }: Pick<User, 'id'>,
  sender: Sender,
  { goesOn, identity }: Pick<ProvenUser, 'goesOn' | 'identity'> = {},
): DrawnSession {
  const { text: token, hash } = newOneTimeToken('session');
  const about = { id: context.newId(), hash, userId, ...originOf(sender) };
  return { token, session: { ...about, ...newTimes(context, identity), ...(goesOn && endsOf(goesOn)) } };
}

/** Ends the session that the client had, and shows the new one, which is stored already. */
export async function enterSession(
  context: OperationContext,
  user: User,
  { session, token }: DrawnSession,
  sender: Sender,
): Promise<OpenedSession> {
  const before = sender.caller?.signedIn;
  if (before !== undefined) {
    const { id: sessionId, userId } = before.session;
    const author = authorOf(context, user, sender);
    await commitWrite(context, { kind: 'endSessions', author, userId, sessionId });
    forgetUser(context, userId);
  }
  return { ...(await showSession(context, user, session)), token };
}

/** Reads the accounts of a user whose session was opened or confirmed. */
export async function showSession(
  context: Pick<OperationContext, 'store'>,
  user: User,
  session: Session,
): Promise<ShownSession> {
  const found = await findMemberships(context, user);
  return { user, session, ...found, accounts: await findAccounts(context, found.memberships) };
}

/** At most `MAX_USER_ACCOUNTS`. */
async function findAccounts(
  { store }: Pick<OperationContext, 'store'>,
  memberships: readonly Membership[],
): Promise<readonly Account[]> {
  const accounts = await Promise.all(memberships.map(({ accountId }) => store.findAccount(accountId)));
  return accounts.filter((account) => account !== undefined);
}

/** The author of what a user does to its own sessions and factors, in no account. */
export function authorOf(
  { clock }: Pick<OperationContext, 'clock'>,
  user: Pick<User, 'id'>,
  { address }: Pick<Sender, 'address'>,
) {
  return { accountId: '', keyId: authorOfUser(user.id), userId: user.id, atMs: clock.nowMs(), address };
}

function newTimes({ clock }: Pick<OperationContext, 'clock'>, proven: ProvenUser['identity']) {
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  return {
    createdAtSeconds: nowSeconds,
    seenAtSeconds: nowSeconds,
    freshUntilSeconds: freshUntil(nowSeconds, proven === undefined ? nowSeconds : proven.provenAtSeconds),
    endsAtSeconds: nowSeconds + SESSION_LIFETIME_SECONDS,
  };
}

function endsOf({ freshUntilSeconds, endsAtSeconds }: Session) {
  return { freshUntilSeconds, endsAtSeconds };
}

function originOf({ address, agent }: Sender): Pick<Session, 'address' | 'agent'> {
  const shown = agent?.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_AGENT_CHARACTERS) ?? '';
  return { address: address ?? null, agent: shown === '' ? null : shown };
}
