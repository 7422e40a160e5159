// Parses the filters of a domain's history (contract rule 46). Names and forms are those of the trail.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { firstText } from './page-query.ts';
import { MAX_FILTER_CHARACTERS, parseTimeBounds } from './trail-query.ts';

/** The query parameters of the filter, in the order of a cursor's mark. */
export const changeFilterMembers = ['actor', 'from', 'to'] as const;

/** Undefined members match everything. */
export interface ChangeFilterQuery {
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Empty parameters are absent ones. Returns undefined if everything matches. */
export function parseChangeFilter(
  query: Readonly<Record<string, unknown>>,
): Parsed<ChangeFilterQuery | undefined> {
  const [actor, from, to] = changeFilterMembers.map((member) => firstText(query[member]) || undefined);
  if (actor === undefined && from === undefined && to === undefined) return parsed(undefined);
  if ((actor?.length ?? 0) > MAX_FILTER_CHARACTERS)
    return malformed(`actor can have at most ${MAX_FILTER_CHARACTERS} characters`);
  const bounds = parseTimeBounds(from, to);
  return bounds.ok ? parsed({ actor, ...bounds.value }) : bounds;
}
