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
    const page: Page<T> = await getPage(endpoint, path, member, query, { cursor });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** One page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** The cursor of the next page; undefined: it is the last one. */
  readonly next: string | undefined;
  /** Rows on all pages, as far as the service counts them. */
  readonly total: number;
}

/** Which page of a list, and how much of it. */
export interface PageOptions {
  /** `next` of the page before; absent: the first page. */
  readonly cursor?: string | undefined;
  /** From 1 to 500, which is the default. */
  readonly per_page?: number | undefined;
  /** Gives the request up, and the waits that the service asks for. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns one page, for programs that read on when somebody asks. */
export async function getPage<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  query: Query,
  { cursor, per_page = PAGE_SIZE, signal }: PageOptions = {},
): Promise<Page<T>> {
  const address = withQuery(path, { ...query, per_page, cursor });
  const answer = await sendRequest(endpoint, 'GET', address, { signal });
  const rows = memberOf(answer, member) as readonly T[];
  const { total, links } = memberOf(answer, 'meta') as MetaJson;
  // Prevents an endless loop.
  if (links.next === cursor) throw notOurs(answer.url, answer.status);
  return { rows, next: links.next === '' ? undefined : links.next, total };
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
