// The entries of the palette: places, pages, domains and records, each with the address that it leads to.
import type { FoundRecordJson } from '../../../src/contract/response-shapes.ts';
import type { ListedDomain } from '../domains/use-domains.ts';
import { shownName, valueOf } from '../records/record-value.ts';
import { toUnicode } from '../text/name-forms.ts';

export interface Entry {
  /** Unique in the palette. */
  readonly key: string;
  readonly href: string;
  readonly label: string;
  /** The other form of a domain, or the data of a record. */
  readonly detail?: string;
  /** The type of a record. */
  readonly type?: string;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Places whose label has each of the words. */
export function findPlaces(places: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/);
  return places.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** Enough to choose from at a glance; the page of domains shows all that match. */
export const MAX_DOMAINS = 8;

/** The first of the domains that were found: the one of that name, then those that begin with it. */
export function firstDomains(found: readonly ListedDomain[], search: string): readonly ListedDomain[] {
  const wanted = search.trim().toLowerCase();
  const isNamed = ({ domain, shown }: ListedDomain): boolean => domain === wanted || shown === wanted;
  const begins = ({ domain, shown }: ListedDomain): boolean =>
    domain.startsWith(wanted) || shown.startsWith(wanted);
  return [
    ...found.filter(isNamed),
    ...found.filter((domain) => begins(domain) && !isNamed(domain)),
    ...found.filter((domain) => !begins(domain)),
  ].slice(0, MAX_DOMAINS);
}

export function domainEntry({ domain, shown }: ListedDomain): Entry {
  return {
    key: domain,
    href: `/d/${encodeURIComponent(domain)}/records`,
    label: shown,
    ...(shown !== domain && { detail: domain }),
  };
}

/** The page shows the filter in full, and no two records need more to be told apart, as a rule. */
const MAX_FILTER_CHARACTERS = 64;

/** Leads to the records of its domain, filtered so that they are few. */
export function recordEntry(record: FoundRecordJson): Entry {
  const { type, name, data } = valueOf(record);
  const filter = new URLSearchParams({
    type,
    name: shownName(name),
    data: Array.from(data).slice(0, MAX_FILTER_CHARACTERS).join(''),
  });
  return {
    key: record.id,
    href: `/d/${encodeURIComponent(record.domain)}/records?${filter.toString()}`,
    label: toUnicode(name === '' ? record.domain : `${name}.${record.domain}`),
    detail: data,
    type,
  };
}
