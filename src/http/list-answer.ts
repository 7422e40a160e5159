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
  return answerFound(await load(query.value), (page) => formatPage(page, format));
}
