import { useQuery, type Query } from '@tanstack/react-query';
import type { SessionReplyJson } from '../../../src/contract/session-shape.ts';
import { chooseAccount, chosenAccount } from './chosen-account.ts';
import { isSignedOut } from './describe-error.ts';
import { service } from './service-client.ts';
import { queryClient, sessionHasEnded } from './query-client.ts';
import { createValueStore, useStored } from './value-store.ts';
import { currentVisit, setVisit, type Visit } from './visit.ts';

export type UserAccount = SessionReplyJson['accounts'][number];

const sessionKey = ['session'] as const;

/** Somebody else has signed in, here or in another window: nothing more is shown or sent for the user of this page. */
export const isOfOtherUser = createValueStore(false);

export class OtherUserError extends Error {
  override readonly name = 'OtherUserError';
}

/** Another window has signed in or out; all have the same cookie. */
const channel = new BroadcastChannel('session');
channel.onmessage = () => {
  if (knownSession() !== undefined) void checkSession().catch(() => undefined);
};

export function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: loadSession,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  });
}

function knownSession(): SessionReplyJson | undefined {
  return queryClient.getQueryData<SessionReplyJson>(sessionKey);
}

async function loadSession(): Promise<SessionReplyJson> {
  const session = await service.session.get().catch((error: unknown) => {
    if (knownSession() !== undefined && isSignedOut(error)) sessionHasEnded.set(true);
    throw error;
  });
  refuseOtherUser(session);
  // A page that begins may come from the log-in of a provider.
  if (knownSession() === undefined) channel.postMessage('in');
  settleAccount(session);
  sessionHasEnded.set(false);
  return session;
}

/** Asks the service whose session this is. @throws OtherUserError if it is not that of the page any more */
export function checkSession(): Promise<SessionReplyJson> {
  return queryClient.query({ queryKey: sessionKey, queryFn: loadSession, staleTime: 0 });
}

function refuseOtherUser({ user }: SessionReplyJson): void {
  const known = knownSession();
  if (known === undefined || known.user.id === user.id) return;
  isOfOtherUser.set(true);
  // A page that begins again has nothing of the former user in memory, and not its place either.
  location.replace('/domains');
  throw new OtherUserError();
}

/** Call after signing out. */
export function leaveSession(): void {
  channel.postMessage('out');
}

/** The account of requests: the chosen one if the user still belongs to it, else the first. */
function settleAccount({ user, accounts }: SessionReplyJson): void {
  if (currentVisit.get()?.userId !== user.id) setVisit(undefined);
  const chosen = chosenAccount.get();
  if (!accounts.some(({ id }) => id === chosen)) chooseAccount(accounts.at(0)?.id);
}

/** Call after every sign-in. Everything that is shown comes from the new session from then on. */
export function enterSession(session: SessionReplyJson): void {
  channel.postMessage('in');
  refuseOtherUser(session);
  // The access of an operator to an account ends with its session.
  setVisit(undefined);
  settleAccount(session);
  queryClient.setQueryData(sessionKey, session);
  sessionHasEnded.set(false);
  void queryClient.invalidateQueries({ predicate: isOutOfDate });
}

/** Long lists that are there stay: the pages look for themselves whether something has changed. */
function isOutOfDate({ queryKey: [kind], state }: Query): boolean {
  const isLong = kind === 'records' || kind === 'domains';
  return kind !== 'session' && !(isLong && state.status === 'success');
}

export function switchAccount(id: string): void {
  chooseAccount(id);
  switchVisit(undefined);
}

/** From then on, pages show the account that an operator looks into; undefined: its own again. */
export function switchVisit(visit: Visit | undefined): void {
  setVisit(visit);
  queryClient.removeQueries({
    predicate: ({ queryKey: [kind] }) => kind !== 'session' && kind !== 'operator',
  });
}

/** Only below `SessionGate`, where a session is there. */
export function useSession(): {
  readonly session: SessionReplyJson;
  readonly account: UserAccount | undefined;
} {
  const { data } = useSessionQuery();
  const chosen = useStored(chosenAccount);
  const visit = useStored(currentVisit);
  if (data === undefined) throw new Error('there is no session here');
  const own = data.accounts.find(({ id }) => id === chosen);
  return {
    session: data,
    account: visit === undefined ? own : { ...visit.account, role: 'viewer', grants: null },
  };
}

/** The role of the user in the whole account; null: it has roles in single domains only. */
export function useRole(): UserAccount['role'] {
  return useSession().account?.role ?? null;
}

/** Whether the role of the user in its account lets it create and delete domains. */
export function useMayManageDomains(): boolean {
  const role = useSession().account?.role;
  return role === 'owner' || role === 'editor';
}

/** Whether the role of the user lets it change records of a domain. The service decides; this is about what is offered. */
export function useMayEdit(domain: string): boolean {
  const { account } = useSession();
  if (account === undefined) return false;
  if (account.role !== null) return account.role !== 'viewer';
  return account.grants?.some(({ role, domains }) => role === 'editor' && domains.includes(domain)) === true;
}
