import { useInfiniteQuery } from '@tanstack/react-query';
import { MIN_SEARCH_CHARACTERS, useMaySearchRecords } from '../palette/use-found-records.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';

/** A few screens; more are asked for. */
const PAGE_ROWS = 100;

/** The records of all domains that were found so far. A request is given up as soon as somebody searches for something else. */
export function useRecordSearch(search: string) {
  const account = useSession().account?.id;
  const isWanted = useMaySearchRecords() && search.length >= MIN_SEARCH_CHARACTERS;
  return useInfiniteQuery({
    queryKey: ['found records', account, search, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      service.records.searchPage(search, { per_page: PAGE_ROWS, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: isWanted,
    refetchOnWindowFocus: false,
  });
}
