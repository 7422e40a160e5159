// Routes of the trail.
import { formatTrailEntry, formatTrailLines } from '../contract/format-trail.ts';
import { JSON_LINES_TYPE } from '../contract/json-lines-type.ts';
import type { ListFormat } from '../contract/format-page.ts';
import {
  ALL_ACCOUNTS,
  parseTrailFilter,
  trailFilterMembers,
  type TrailFilterQuery,
} from '../contract/trail-query.ts';
import type { NumberedTrailEntry } from '../model/trail-entry.ts';
import { exportTrail, listTrail, type TrailChoice } from '../operations/read-trail.ts';
import { answerMalformed, answerStream } from './answer.ts';
import { answerList } from './list-answer.ts';
import type { RouteHandler } from './route-handler.ts';

const trailList: ListFormat<NumberedTrailEntry> = {
  member: 'trail',
  listKey: 'numbers',
  filteredBy: trailFilterMembers,
  keyOf: ({ atMs, id }) => `${atMs}.${id}`,
  formatRow: formatTrailEntry,
  lengthOf: ({ detail }) => detail?.length ?? 0,
};

export const trailRoutes = {
  listTrail: (context, caller, request, getSignal) => {
    const filter = parseTrailFilter(request.query);
    if (!filter.ok) return Promise.resolve(answerMalformed(filter.problem));
    return answerList(caller, request, trailList, (page) =>
      listTrail(context, caller, choiceOf(filter.value), page, getSignal),
    );
  },

  exportTrail: async (context, caller, { query }) => {
    const filter = parseTrailFilter(query);
    if (!filter.ok) return answerMalformed(filter.problem);
    const slices = await exportTrail(context, caller, choiceOf(filter.value));
    const answer = answerStream(slices, formatSlices, JSON_LINES_TYPE);
    if (!slices.ok) return answer;
    return { ...answer, headers: ['Content-Disposition', 'attachment; filename="trail.jsonl"'] };
  },
} satisfies Record<string, RouteHandler>;

function choiceOf({ account, ...filter }: TrailFilterQuery): TrailChoice {
  return { ...filter, account: account === ALL_ACCOUNTS ? null : account };
}

async function* formatSlices(
  slices: AsyncIterable<readonly NumberedTrailEntry[]>,
): AsyncGenerator<string, void, undefined> {
  for await (const entries of slices) yield formatTrailLines(entries);
}
