import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChangeOptions } from '../../../src/client/domains-client.ts';
import type { Page } from '../../../src/client/list-pages.ts';
import type { ChangeJson } from '../../../src/contract/response-shapes.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { groupChanges, type ChangeSet } from './change-sets.ts';

/** Pages without a row that are read on at once. A filter looks at 10,000 changes a page: they cost a hundredth of a minute's work of an account. */
const MAX_EMPTY_PAGES = 10;

const historyKey = (domain: string) => ['history', domain] as const;

/** The change sets of a domain that a filter shows, the newest first, read page by page. */
export function useHistory(domain: string, filter: ChangeOptions) {
  const query = useInfiniteQuery({
    queryKey: [...historyKey(domain), filter],
    queryFn: ({ pageParam, signal }) => readPage(domain, filter, pageParam, signal),
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

/** Returns the next page that has rows, or one without them if that takes long. */
async function readPage(
  domain: string,
  filter: ChangeOptions,
  first: string | undefined,
  signal: AbortSignal,
): Promise<Page<ChangeJson>> {
  let page = await service.domains.changePage(domain, { ...filter, cursor: first, signal });
  for (let empty = 1; page.rows.length === 0 && page.next !== undefined && empty < MAX_EMPTY_PAGES; empty++)
    page = await service.domains.changePage(domain, { ...filter, cursor: page.next, signal });
  return page;
}

/** Call after a write. */
export function reloadHistory(domain: string): void {
  void queryClient.invalidateQueries({ queryKey: historyKey(domain) });
}
