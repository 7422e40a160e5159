import { useMemo } from 'react';
import { findDomains, useDomains, type ListedDomain } from '../domains/use-domains.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import {
  domainEntry,
  findPlaces,
  firstDomains,
  MAX_DOMAINS,
  recordEntry,
  type Entry,
  type EntryGroup,
} from './palette-entries.ts';
import { useFoundRecords, type FoundRecords } from './use-found-records.ts';
import { usePalettePlaces } from './use-palette-places.ts';

export interface PaletteGroups {
  /** Those that have entries. Records are last: they come later, and move nothing. */
  readonly groups: readonly EntryGroup[];
  readonly records: FoundRecords;
  readonly domains: ReturnType<typeof useDomains>;
}

/** Everything that matches what was typed. */
export function usePaletteGroups(search: string): PaletteGroups {
  const places = usePalettePlaces();
  const domains = useDomains();
  const records = useFoundRecords(search);
  const named = useMemo(() => domainEntries(domains.data ?? [], search), [domains.data, search]);
  const groups = [
    ...places.map(({ title, entries }) => ({ title, entries: findPlaces(entries, search) })),
    { title: text.domains, entries: named },
    { title: text.domain.records, entries: recordEntries(records, search) },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), records, domains };
}

function domainEntries(domains: readonly ListedDomain[], search: string): readonly Entry[] {
  const found = findDomains(domains, search);
  const entries = firstDomains(found, search).map(domainEntry);
  if (found.length <= MAX_DOMAINS) return entries;
  const filter = search === '' ? '' : `?${new URLSearchParams({ search }).toString()}`;
  const label = text.palette.allDomains(formatNumber(found.length));
  return [...entries, { key: 'all domains', href: `/domains${filter}`, label }];
}

function recordEntries({ records, total }: FoundRecords, search: string): readonly Entry[] {
  const entries = records.map(recordEntry);
  if (total <= records.length) return entries;
  const href = `/search?${new URLSearchParams({ q: search }).toString()}`;
  return [...entries, { key: 'all records', href, label: text.palette.allRecords(formatNumber(total)) }];
}
