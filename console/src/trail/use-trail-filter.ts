import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { readFilter, type TrailFilter } from './trail-filter.ts';

/** The filter is in the address: it can be kept, sent to others and left with Back. */
export function useTrailFilter() {
  const [query, setQuery] = useSearchParams();
  const filter = useMemo(() => readFilter(query), [query]);
  const setFilter = (next: TrailFilter): void =>
    setQuery(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')));
  return { filter, setFilter };
}
