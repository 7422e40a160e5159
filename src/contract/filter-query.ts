// Parses the query parameters of filtered lists (contract rules 50, 51) and of exports at an earlier moment (rule 47). The
// operations interpret types and names.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { DEFAULT_TXT_LIMIT_BYTES } from '../model/txt-data.ts';
import { firstText } from './page-query.ts';
import { MAX_SERIAL } from './propagation-query.ts';

type Query = Readonly<Record<string, unknown>>;

/** The filter as the client sent it; undefined members match everything. */
export interface RecordFilterQuery {
  readonly type?: string | undefined;
  /** `''` is the apex. */
  readonly name?: string | undefined;
  readonly data?: { readonly text: string; readonly match: DataMatch } | undefined;
  readonly search?: string | undefined;
}

/** The query parameters of a record filter. */
export const recordFilterMembers = ['type', 'name', 'data', 'data_match', 'search'];

export type DataMatch = 'exact' | 'prefix' | 'contains';

/**
 * The longest TXT data under the default limit as it is shown: all quotes, each with a backslash, inside two more quotes.
 * Longer data can be found by a prefix.
 */
const MAX_FILTER_CHARACTERS = 2 * DEFAULT_TXT_LIMIT_BYTES + 2;

const dataMatches: readonly string[] = ['exact', 'prefix', 'contains'] satisfies DataMatch[];

/** Refuses unknown values of `data_match`, and values that are too long. */
export function parseRecordFilter(query: Query): Parsed<RecordFilterQuery> {
  const [type, name, data, search] = ['type', 'name', 'data', 'search'].map((member) =>
    firstText(query[member]),
  );
  const long = [type, name, data, search].find((text) => (text?.length ?? 0) > MAX_FILTER_CHARACTERS);
  if (long !== undefined) return malformed(`A filter can have at most ${MAX_FILTER_CHARACTERS} characters`);
  const match = firstText(query['data_match']) ?? 'exact';
  if (!dataMatches.includes(match)) {
    return malformed(`data_match must be exact, prefix or contains, not ${quoteText(match)}`);
  }
  return parsed({
    type: type || undefined,
    name,
    data: data ? { text: data, match: match as DataMatch } : undefined,
    search: search || undefined,
  });
}

/** Returns undefined if everything matches. */
export function parseSearch(query: Query): Parsed<string | undefined> {
  const filter = parseRecordFilter({ search: query['search'] });
  return filter.ok ? parsed(filter.value.search) : filter;
}

/** A serial that the domain has had, or a time. */
export type Moment = { readonly serial: number } | { readonly atMs: number };

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Returns undefined for the present. */
export function parseMoment(text: string | undefined): Parsed<Moment | undefined> {
  if (text === undefined || text === '') return parsed(undefined);
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_SERIAL) return parsed({ serial: Number(text) });
  const atMs = parseTime(text);
  if (atMs !== undefined) return parsed({ atMs });
  return malformed(`at must be a serial, or a time such as 2026-11-20T14:00:00Z, not ${quoteText(text)}`);
}

/** Returns the milliseconds since 1970 of an RFC 3339 time in a query; undefined if it is none. */
export function parseTime(text: string): number | undefined {
  // A plus sign in a query is decoded as a space.
  const time = text.replace(' ', '+');
  const atMs = RFC_3339.test(time) && isInMonth(time) ? new Date(time).getTime() : NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** `Date` accepts 30 February and reads it as 2 March. */
function isInMonth(time: string): boolean {
  const date = time.slice(0, 'yyyy-mm-dd'.length);
  return new Date(date).getUTCDate() === Number(date.slice(-2));
}
