import { useQuery } from '@tanstack/react-query';
import { collectPages } from '../service/collect-pages.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';

/** Names change rarely. */
const STALE_MS = 300_000;

/**
 * Returns the name of who has changed something: the name of a user, the label of a key. Those that are gone, or that the user may not
 * see, are shown by the end of their id.
 */
export function useAuthors(): (author: string) => string {
  const { session, account } = useSession();
  const role = account?.role;
  const users = useQuery({
    queryKey: ['authors', 'users', account?.id],
    queryFn: () => service.users.list(),
    enabled: role === 'owner',
    staleTime: STALE_MS,
  });
  const keys = useQuery({
    queryKey: ['authors', 'keys', account?.id],
    queryFn: ({ signal }) => collectPages(service.keys.list(), () => undefined, signal),
    enabled: role === 'owner' || role === 'editor',
    staleTime: STALE_MS,
  });
  return (author) => {
    if (author === '') return text.history.service;
    const userId = author.startsWith('user:') ? author.slice('user:'.length) : undefined;
    if (userId === session.user.id) return text.history.you(session.user.name);
    if (userId !== undefined)
      return users.data?.find(({ id }) => id === userId)?.name ?? text.history.user(endOf(userId));
    const label = keys.data?.find(({ id }) => id === author)?.label ?? '';
    return label === '' ? text.history.key(endOf(author)) : text.history.labelled(label);
  };
}

/** Ids begin with the time of their creation. */
function endOf(id: string): string {
  return id.slice(-6);
}
