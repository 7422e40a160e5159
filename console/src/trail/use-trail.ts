import { useInfiniteQuery } from '@tanstack/react-query';
import type { TrailOptions } from '../../../src/client/trail-client.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';

/** A few screens; more are asked for. */
const PAGE_ROWS = 100;

/** The entries that were asked for so far, latest first. */
export function useTrail(options: TrailOptions) {
  const account = useSession().account?.id;
  return useInfiniteQuery({
    queryKey: ['trail', account, options],
    queryFn: ({ pageParam }) => service.trail.page(options, { per_page: PAGE_ROWS, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}
