import { useQuery } from '@tanstack/react-query';
import type { SessionReplyJson } from '../../../src/contract/session-shape.ts';
import { chooseAccount, chosenAccount } from './chosen-account.ts';
import { service } from './service-client.ts';
import { queryClient, sessionHasEnded } from './query-client.ts';
import { useStored } from './value-store.ts';

export type UserAccount = SessionReplyJson['accounts'][number];

const sessionKey = ['session'] as const;

export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: loadSession, staleTime: Infinity });
}

async function loadSession(): Promise<SessionReplyJson> {
  const session = await service.session.get();
  settleAccount(session);
  return session;
}

/** The account of requests: the chosen one if the user still belongs to it, else the first. */
function settleAccount({ accounts }: SessionReplyJson): void {
  const chosen = chosenAccount.get();
  if (!accounts.some(({ id }) => id === chosen)) chooseAccount(accounts.at(0)?.id);
}

/** Call after every sign-in. Everything that is shown comes from the new session from then on. */
export function enterSession(session: SessionReplyJson): void {
  const before = queryClient.getQueryData<SessionReplyJson>(sessionKey);
  settleAccount(session);
  if (before !== undefined && before.user.id !== session.user.id) queryClient.clear();
  queryClient.setQueryData(sessionKey, session);
  sessionHasEnded.set(false);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

export function switchAccount(id: string): void {
  chooseAccount(id);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** Only below `SessionGate`, where a session is there. */
export function useSession(): {
  readonly session: SessionReplyJson;
  readonly account: UserAccount | undefined;
} {
  const { data } = useSessionQuery();
  const chosen = useStored(chosenAccount);
  if (data === undefined) throw new Error('there is no session here');
  return { session: data, account: data.accounts.find(({ id }) => id === chosen) };
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
