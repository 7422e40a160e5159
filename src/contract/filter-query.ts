// The query of lists that can be narrowed (contract rules 50, 51) and of looks into the past (rule 47). What types and
// names mean is for the operations.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { DEFAULT_TXT_LIMIT_BYTES } from '../model/txt-data.ts';
import { firstText } from './page-query.ts';
import { maxSerial } from './propagation-query.ts';

type Query = Readonly<Record<string, unknown>>;

/** As it was asked for; undefined: whatever it is. */
export interface RecordFilterQuery {
  readonly type?: string | undefined;
  /** `''` is the apex. */
  readonly name?: string | undefined;
  readonly data?: { readonly text: string; readonly match: DataMatch } | undefined;
  readonly search?: string | undefined;
}

/** The members of the query that it is read from. */
export const recordFilterMembers = ['type', 'name', 'data', 'data_match', 'search'];

export type DataMatch = 'exact' | 'prefix' | 'contains';

/**
 * TXT data as long as the default limit lets it be, of quotes alone: each is shown with its backslash, all between two
 * more. Longer data is found by its beginning.
 */
const MAX_FILTER_CHARACTERS = 2 * DEFAULT_TXT_LIMIT_BYTES + 2;

const dataMatches: readonly string[] = ['exact', 'prefix', 'contains'] satisfies DataMatch[];

/** Refused are words for `data_match` that are none, and texts that are too long. */
export function parseRecordFilter(query: Query): Parsed<RecordFilterQuery> {
  const [type, name, data, search] = ['type', 'name', 'data', 'search'].map((member) =>
    firstText(query[member]),
  );
  const long = [type, name, data, search].find((text) => (text?.length ?? 0) > MAX_FILTER_CHARACTERS);
  if (long !== undefined) return malformed(`A filter can have ${MAX_FILTER_CHARACTERS} characters at most`);
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

/** Undefined: everything. */
export function parseSearch(query: Query): Parsed<string | undefined> {
  const filter = parseRecordFilter({ search: query['search'] });
  return filter.ok ? parsed(filter.value.search) : filter;
}

/** A serial that the domain had, or a moment. */
export type Moment = { readonly serial: number } | { readonly atMs: number };

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Undefined: now. */
export function parseMoment(text: string | undefined): Parsed<Moment | undefined> {
  if (text === undefined || text === '') return parsed(undefined);
  if (/^\d{1,10}$/.test(text) && Number(text) <= maxSerial) return parsed({ serial: Number(text) });
  // A plus sign in a query is a blank.
  const time = text.replace(' ', '+');
  const atMs = RFC_3339.test(time) && isInMonth(time) ? new Date(time).getTime() : NaN;
  if (!Number.isNaN(atMs)) return parsed({ atMs });
  return malformed(`at must be a serial, or a time such as 2026-11-20T14:00:00Z, not ${quoteText(text)}`);
}

/** A `Date` takes the 30th of February for the 2nd of March. */
function isInMonth(time: string): boolean {
  const date = time.slice(0, 'yyyy-mm-dd'.length);
  return new Date(date).getUTCDate() === Number(date.slice(-2));
}
