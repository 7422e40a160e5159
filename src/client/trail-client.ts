import type { TrailEntryJson } from '../contract/trail-shape.ts';
import { getPage, listPages, withQuery, type Page, type PageOptions } from './list-pages.ts';
import { notOurs } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

/** All given conditions must hold. */
export interface TrailOptions {
  /** The id of another account, or `all`; needs an admin key. */
  readonly account?: string | undefined;
  /** An action such as `key.create`, or all of an object: `key.` with its dot. */
  readonly action?: string | undefined;
  /** The id of a key or user. */
  readonly actor?: string | undefined;
  /** An id, or the name of a domain. */
  readonly object?: string | undefined;
  /** The client's network address. */
  readonly address?: string | undefined;
  /** The first time (RFC 3339). */
  readonly from?: string | undefined;
  /** The first time that is too late (RFC 3339). */
  readonly to?: string | undefined;
}

/** The trail says who did what in an account, when and from where. */
export interface TrailClient {
  /** Latest first. */
  list(options?: TrailOptions): AsyncIterable<TrailEntryJson>;
  /** Looks at the next 10,000 entries at most, so that a page can have few rows or none although `next` goes on. */
  page(options?: TrailOptions, page?: PageOptions): Promise<Page<TrailEntryJson>>;
  /** JSON, an entry a line, earliest first. */
  export(options?: TrailOptions): Promise<string>;
}

/** Most exports take less than a second; the longest ones have millions of entries. */
const EXPORT_SECONDS = 300;

export function createTrailClient(endpoint: Endpoint): TrailClient {
  return {
    list: (options) => listPages<TrailEntryJson>(endpoint, '/trail', 'trail', { ...options }),
    page: (options, page) => getPage<TrailEntryJson>(endpoint, '/trail', 'trail', { ...options }, page),
    export: async (options) => {
      const request = { wantsText: true, waitSeconds: EXPORT_SECONDS };
      const answer = await sendRequest(endpoint, 'GET', withQuery('/trail/export', { ...options }), request);
      if (typeof answer.body !== 'string') throw notOurs(answer.url, answer.status);
      return answer.body;
    },
  };
}
