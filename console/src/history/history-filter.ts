// The filters of the history: in the address of the page, in requests and in commands. Knows no screen.
import type { ChangeOptions } from '../../../src/client/domains-client.ts';
import { optionsOf as trailOptionsOf, queryOf, readFilter, wordsOf } from '../trail/trail-filter.ts';

/** Days are written 2026-11-20, by the calendar of the browser; `to` is the last one. */
export const historyFilterNames = ['actor', 'from', 'to'] as const;
export type HistoryFilterName = (typeof historyFilterNames)[number];
export type HistoryFilter = Readonly<Partial<Record<HistoryFilterName, string>>>;

/** The filters of the trail, as far as a history has them. */
export function readHistoryFilter(query: URLSearchParams): HistoryFilter {
  const given = readFilter(query);
  const known = historyFilterNames.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}

export function optionsOf(filter: HistoryFilter): ChangeOptions {
  return trailOptionsOf(filter, undefined);
}

export function pathOf(domain: string, options: ChangeOptions): string {
  return `/domains/${domain}/changes${queryOf(options)}`;
}

export function commandOf(domain: string, options: ChangeOptions): string {
  return [`zonewright changes ${domain}`, ...wordsOf(options), '--limit 100'].join(' ');
}
