// The filters of the trail: in the address of the page, in requests and in commands. Knows no screen.
import type { TrailOptions } from '../../../src/client/trail-client.ts';
import { quote } from '../service/format-curl.ts';

/** Days are written 2026-11-20, by the calendar of the browser; `to` is the last one. */
export const filterNames = ['action', 'actor', 'object', 'address', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
export type TrailFilter = Readonly<Partial<Record<FilterName, string>>>;

export function readFilter(query: URLSearchParams): TrailFilter {
  const given = filterNames.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** @param account absent: that of the user */
export function optionsOf({ from, to, ...texts }: TrailFilter, account: string | undefined): TrailOptions {
  const [start, end] = [startOfDay(from, 0), startOfDay(to, 1)];
  return {
    ...(account !== undefined && { account }),
    ...texts,
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  };
}

/** The first moment of a day, or of one so many days later; undefined for what is no day. */
function startOfDay(day: string | undefined, later: number): string | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '');
  if (found === null) return undefined;
  const [, year, month, date] = found;
  // Days of a clock change have 23 or 25 hours: the calendar counts them, not we.
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

export function queryOf(options: TrailOptions): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(options) as [string, string][]) given.append(name, value);
  return given.size === 0 ? '' : `?${given.toString()}`;
}

export function commandOf(options: TrailOptions): string {
  return ['zonewright trail', ...wordsOf(options)].join(' ');
}

/** The options of a command, quoted for a shell. */
export function wordsOf(options: TrailOptions): readonly string[] {
  const given = Object.entries(options) as [string, string][];
  return given.map(([name, value]) => `--${name} ${quote(value)}`);
}
