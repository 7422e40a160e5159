// Parses the filters of the trail (contract rule 82).
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { findTrailActions } from '../model/trail-entry.ts';
import { parseTime } from './filter-query.ts';
import { firstText } from './page-query.ts';

type Query = Readonly<Record<string, unknown>>;

/** The query parameters of the filter, in the order of a cursor's mark. */
export const trailFilterMembers = ['account', 'action', 'actor', 'object', 'address', 'from', 'to'] as const;

/** Names all accounts, and what no account sees. No id of an account is like it. */
export const ALL_ACCOUNTS = 'all';

/** Undefined members match everything. */
export interface TrailFilterQuery {
  /** The id of an account; absent: the caller's. */
  readonly account: string | undefined;
  readonly action: string | undefined;
  readonly actor: string | undefined;
  readonly object: string | undefined;
  readonly address: string | undefined;
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
}

/** The longest domain name is shorter. */
export const MAX_FILTER_CHARACTERS = 255;

/** Empty parameters are absent ones. */
export function parseTrailFilter(query: Query): Parsed<TrailFilterQuery> {
  const [account, action, actor, object, address, from, to] = trailFilterMembers.map(
    (member) => firstText(query[member]) || undefined,
  );
  const long = [account, actor, object, address].find((text) => (text?.length ?? 0) > MAX_FILTER_CHARACTERS);
  if (long !== undefined) return malformed(`A filter can have at most ${MAX_FILTER_CHARACTERS} characters`);
  if (action !== undefined && findTrailActions(action).length === 0) {
    const form = 'action must be one of the actions of the trail, such as key.create, or all of an object';
    return malformed(`${form}, such as key. with its dot, not ${quoteText(action)}`);
  }
  const bounds = parseTimeBounds(from, to);
  return bounds.ok ? parsed({ account, action, actor, object, address, ...bounds.value }) : bounds;
}

type TimeBounds = Pick<TrailFilterQuery, 'fromMs' | 'untilMs'>;

/** @param to the first time that is too late */
export function parseTimeBounds(from: string | undefined, to: string | undefined): Parsed<TimeBounds> {
  const [fromMs, untilMs] = [parseBound('from', from), parseBound('to', to)];
  if (!fromMs.ok) return fromMs;
  if (!untilMs.ok) return untilMs;
  return parsed({ fromMs: fromMs.value, untilMs: untilMs.value });
}

function parseBound(member: string, text: string | undefined): Parsed<number | undefined> {
  if (text === undefined) return parsed(undefined);
  const atMs = parseTime(text);
  if (atMs !== undefined) return parsed(atMs);
  return malformed(`${member} must be a time such as 2026-11-20T14:00:00Z, not ${quoteText(text)}`);
}
