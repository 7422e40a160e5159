import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { optionsOf, readHistoryFilter, type HistoryFilter } from './history-filter.ts';

/** The filter is in the address: it can be kept, sent to others and left with Back. */
export function useHistoryFilter() {
  const [query, setQuery] = useSearchParams();
  const filter = useMemo(() => readHistoryFilter(query), [query]);
  const options = useMemo(() => optionsOf(filter), [filter]);
  const setFilter = (next: HistoryFilter): void =>
    setQuery(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')));
  return { filter, options, setFilter };
}
