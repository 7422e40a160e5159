import { createHash } from 'node:crypto';
import { pageTag } from '../contract/entity-tags.ts';
import { formatPage, type ListedPage, type ListFormat } from '../contract/format-page.ts';
import { parsePageQuery, type PageQuery } from '../contract/page-query.ts';
import type { Outcome } from '../model/refusal.ts';
import { answerError, answerFound, type Answer } from './answer.ts';
import type { ApiRequest } from './route-handler.ts';

/** The way of every list: page query → rows → page text. */
export async function answerList<Row>(
  request: ApiRequest,
  format: ListFormat<Row>,
  load: (page: PageQuery) => Promise<Outcome<ListedPage<Row>>>,
): Promise<Answer> {
  const query = parsePageQuery(request.query, format.listKey);
  if (!query.ok) {
    return answerError({ code: 'invalid_request', message: query.problem, field: query.field });
  }
  const answer = answerFound(await load(query.value), (page) => formatPage(page, format));
  if (answer.etag === undefined) return answer;
  return { ...answer, etag: pageTag(answer.etag, markOf(request.query)) };
}

/** What tells this page of the list from its others: everything that was asked for. */
function markOf(query: ApiRequest['query']): string {
  const members = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 16);
}
