import { useQuery } from '@tanstack/react-query';
import { collectPages } from '../service/collect-pages.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';

/** Names change rarely. */
const STALE_MS = 300_000;

export interface Author {
  /** The id of a user or a key. */
  readonly id: string;
  readonly name: string;
}

export interface Authors {
  /**
   * Returns the name of who has changed something: the name of a user, the label of a key. Those that are gone, or that the user may not
   * see, are shown by the end of their id.
   */
  readonly nameOf: (author: string) => string;
  /** Those that can be asked for: of the account, as far as the user may see them, and others that are named. */
  readonly choices: (others: readonly string[]) => readonly Author[];
}

/** @param isWanted nobody is asked for otherwise */
export function useAuthors(isWanted = true): Authors {
  const { session, account } = useSession();
  const role = account?.role;
  const users = useQuery({
    queryKey: ['authors', 'users', account?.id],
    queryFn: () => service.users.list(),
    enabled: isWanted && role === 'owner',
    staleTime: STALE_MS,
  });
  const keys = useQuery({
    queryKey: ['authors', 'keys', account?.id],
    queryFn: ({ signal }) => collectPages(service.keys.list(), () => undefined, signal),
    enabled: isWanted && (role === 'owner' || role === 'editor'),
    staleTime: STALE_MS,
  });
  const nameOf = (author: string): string => {
    if (author === '') return text.history.service;
    const userId = author.startsWith(USER) ? idOf(author) : undefined;
    if (userId === session.user.id) return text.history.you(session.user.name);
    if (userId !== undefined)
      return users.data?.find(({ id }) => id === userId)?.name ?? text.history.user(endOf(userId));
    const label = keys.data?.find(({ id }) => id === author)?.label ?? '';
    return label === '' ? text.history.key(endOf(author)) : text.history.labelled(label);
  };
  const known = [
    authorOfUser(session.user.id),
    ...(users.data ?? []).map(({ id }) => authorOfUser(id)),
    ...(keys.data ?? []).map(({ id }) => id),
  ];
  const choices = (others: readonly string[]): readonly Author[] => {
    const named = new Map<string, string>();
    // An id alone does not say whether it is of a user.
    for (const author of [...known, ...others])
      if (!named.has(idOf(author))) named.set(idOf(author), nameOf(author));
    return [...named].map(([id, name]) => ({ id, name }));
  };
  return { nameOf, choices };
}

const USER = 'user:';

function authorOfUser(id: string): string {
  return `${USER}${id}`;
}

function idOf(author: string): string {
  return author.startsWith(USER) ? author.slice(USER.length) : author;
}

/** Ids begin with the time of their creation. */
function endOf(id: string): string {
  return id.slice(-6);
}
