import { useQuery } from '@tanstack/react-query';
import type { FoundRecordJson } from '../../../src/contract/response-shapes.ts';
import { useSettled } from '../parts/use-settled.ts';
import { service } from '../service/service-client.ts';
import { useRole, useSession } from '../service/session.ts';

/** After the last key: a search in a large account is work for the service. */
const SETTLE_MS = 300;

/** One character is in nearly every record. */
export const MIN_SEARCH_CHARACTERS = 2;

/** A few screens. Who looks for one record types more rather than reading on. */
const MAX_RECORDS = 20;

export interface FoundRecords {
  readonly records: readonly FoundRecordJson[];
  /** All that match. */
  readonly total: number;
  readonly isSearching: boolean;
  readonly error: unknown;
  readonly searchAgain: () => void;
}

/** The service looks in the whole account, which users of single domains do not see. */
export function useMaySearchRecords(): boolean {
  return useRole() !== null;
}

/** Records in all domains of the account. The request is given up as soon as somebody types on. */
export function useFoundRecords(search: string): FoundRecords {
  const account = useSession().account?.id;
  const isWanted = useMaySearchRecords() && search.length >= MIN_SEARCH_CHARACTERS;
  const isSettled = useSettled(search, SETTLE_MS) === search;
  const asked = isWanted && isSettled ? search : '';
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['found records', account, asked],
    queryFn: ({ signal }) => service.records.searchPage(asked, { per_page: MAX_RECORDS, signal }),
    enabled: asked !== '',
    refetchOnWindowFocus: false,
  });
  return {
    records: data?.rows ?? [],
    total: data?.total ?? 0,
    isSearching: isWanted && (!isSettled || (isFetching && data === undefined)),
    error,
    searchAgain: () => void refetch(),
  };
}
