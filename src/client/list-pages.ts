import type { MetaJson } from '../contract/response-shapes.ts';
import { memberOf, notOurs } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

/** The largest page of the interface (contract rule 11). */
const PAGE_SIZE = 500;

export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Yields all rows of a list. Requests each page only when it is needed.
 *
 * @param member the member of the answer that contains the rows
 */
export async function* listPages<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  query: Query = {},
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page: Page<T> = await getPage(endpoint, path, member, query, cursor);
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** One page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** The cursor of the next page; undefined: it is the last one. */
  readonly next: string | undefined;
}

/** @param cursor of the page; undefined: the first one */
export async function getPage<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  query: Query,
  cursor: string | undefined,
): Promise<Page<T>> {
  const address = withQuery(path, { ...query, per_page: PAGE_SIZE, cursor });
  const answer = await sendRequest(endpoint, 'GET', address);
  const rows = memberOf(answer, member) as readonly T[];
  const { next } = (memberOf(answer, 'meta') as MetaJson).links;
  // Prevents an endless loop.
  if (next === cursor) throw notOurs(answer.url, answer.status);
  return { rows, next: next === '' ? undefined : next };
}

/** Omits undefined members. */
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
