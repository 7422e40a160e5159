import { createHash } from 'node:crypto';
import { pageTag } from '../contract/entity-tags.ts';
import { formatPage, type ListedPage, type ListFormat } from '../contract/format-page.ts';
import { listMark } from '../contract/list-mark.ts';
import { firstText, parsePageQuery, type PageQuery } from '../contract/page-query.ts';
import type { ReadResult } from '../model/result.ts';
import { parsePathDomain } from '../operations/path-domain.ts';
import { answerError, answerFound, type Answer } from './answer.ts';
import type { ApiRequest } from './route-handler.ts';

/** Answers a list request: parses the page query, loads the rows and formats the page. */
export async function answerList<Row>(
  request: ApiRequest,
  format: ListFormat<Row>,
  load: (page: PageQuery) => Promise<ReadResult<ListedPage<Row>>>,
): Promise<Answer> {
  const mark = markOf(request, format);
  const query = parsePageQuery(request.query, mark, format.listKey);
  if (!query.ok) {
    return answerError({ code: 'invalid_request', message: query.problem, field: query.field });
  }
  const answer = answerFound(await load(query.value), (page) => formatPage(page, mark, format));
  if (answer.etag === undefined) return answer;
  return { ...answer, etag: pageTag(answer.etag, pageMark(request.query)) };
}

/** Returns the mark that identifies the list, independent of the spelling of its domain. */
function markOf({ params, query }: ApiRequest, { member, filteredBy = [] }: ListFormat<never>): string {
  const name = 'domain' in params ? parsePathDomain(params.domain) : undefined;
  const filter = filteredBy.map((parameter) => firstText(query[parameter]));
  return listMark(member, name?.ok === true ? name.value : null, filter);
}

/** Returns a mark that identifies the page: a hash of the whole query. */
function pageMark(query: ApiRequest['query']): string {
  const members = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 16);
}
