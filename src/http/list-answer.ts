import { createHash } from 'node:crypto';
import { pageTag } from '../contract/entity-tags.ts';
import { formatPage, formatPageInPieces, type ListedPage, type ListFormat } from '../contract/format-page.ts';
import { listMark } from '../contract/list-mark.ts';
import { firstText, parsePageQuery, type PageQuery } from '../contract/page-query.ts';
import type { ReadResult } from '../model/result.ts';
import { parsePathDomain } from '../operations/path-domain.ts';
import type { Requester } from '../operations/requester.ts';
import { answerError, answerFound, answerStream, type Answer } from './answer.ts';
import type { ApiRequest } from './route-handler.ts';

/** Answers a list request: parses the page query, loads the rows and formats the page. */
export async function answerList<Row>(
  caller: Requester,
  request: ApiRequest,
  format: ListFormat<Row>,
  load: (page: PageQuery) => Promise<ReadResult<ListedPage<Row>>>,
): Promise<Answer> {
  const mark = markOf(request, format);
  const query = parsePageQuery(request.query, mark, format.listKey);
  if (!query.ok) {
    return answerError({ code: 'invalid_request', message: query.problem, field: query.field });
  }
  const result = await load(query.value);
  const answer = answerPage(result, mark, format, caller);
  if (answer.etag === undefined) return answer;
  return { ...answer, etag: pageTag(answer.etag, pageMark(request.query)) };
}

/** Formatting and sending so many characters takes about a millisecond. */
const LONG_PAGE_CHARACTERS = 256 * 1024;

/** Formats a long page while it is sent, in the memory for large work. @throws StoreBusy */
function answerPage<Row>(
  result: ReadResult<ListedPage<Row>>,
  mark: string,
  format: ListFormat<Row>,
  { openShare }: Requester,
): Answer {
  const length = result.ok ? lengthOfPage(result.value, format) : 0;
  if (length <= LONG_PAGE_CHARACTERS) return answerFound(result, (page) => formatPage(page, mark, format));
  const share = openShare?.();
  // It is in memory already, so that it does not wait.
  share?.growTo(Math.min(length, share.mostOctets));
  return answerStream(result, (page) => formatPageInPieces(page, mark, format));
}

function lengthOfPage<Row>({ rows }: ListedPage<Row>, { lengthOf }: ListFormat<Row>): number {
  let length = 0;
  if (lengthOf !== undefined) for (const row of rows) length += lengthOf(row);
  return length;
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
