import type { MetaJson } from '../contract/response-shapes.ts';
import { memberOf, notOurs } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

/** Rows asked for at once: the most the interface gives (contract rule 11). */
const PAGE_SIZE = 500;

export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * All rows of a list, page after page, each asked for when it is wanted.
 *
 * @param member of the answer that holds the rows
 */
export async function* listPages<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  query: Query = {},
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const address = withQuery(path, { ...query, per_page: PAGE_SIZE, cursor });
    const page = await sendRequest(endpoint, 'GET', address);
    yield* memberOf(page, member) as readonly T[];
    const { next } = (memberOf(page, 'meta') as MetaJson).links;
    // Otherwise it would be asked for ever.
    if (next === cursor) throw notOurs(page.url, page.status);
    cursor = next;
  } while (cursor !== '');
}

/** Members that are undefined are left out. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.append(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given.toString()}`;
}

export function domainPath(domain: string): string {
  return `/domains/${encodeURIComponent(domain)}`;
}
