import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { groupChanges, type ChangeSet } from './change-sets.ts';

const historyKey = (domain: string) => ['history', domain] as const;

/** The change sets of a domain, the newest first, read page by page. */
export function useHistory(domain: string) {
  const query = useInfiniteQuery({
    queryKey: historyKey(domain),
    queryFn: ({ pageParam }) => service.domains.changePage(domain, { cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // The page shows what was just applied. Nothing moves while somebody reads it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage } = query;
  const sets = useMemo<readonly ChangeSet[] | undefined>(
    () =>
      data &&
      groupChanges(
        data.pages.flatMap(({ rows }) => rows),
        !hasNextPage,
      ),
    [data, hasNextPage],
  );
  return { ...query, sets };
}

/** Call after a write. */
export function reloadHistory(domain: string): void {
  void queryClient.invalidateQueries({ queryKey: historyKey(domain) });
}
