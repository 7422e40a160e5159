import type { MetaJson } from '../contract/response-shapes.ts';
import type { TrailEntryJson } from '../contract/trail-shape.ts';
import { listPages, withQuery } from './list-pages.ts';
import { memberOf, notOurs } from './read-answer.ts';
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

export interface TrailPageOptions {
  /** `next` of the page before; absent: the first page. */
  readonly cursor?: string | undefined;
  /** From 1 to 500. */
  readonly per_page?: number | undefined;
}

export interface TrailPage {
  /** Latest first. */
  readonly entries: readonly TrailEntryJson[];
  /** Empty: it was the last page. */
  readonly next: string;
}

/** The trail says who did what in an account, when and from where. */
export interface TrailClient {
  /** Latest first. */
  list(options?: TrailOptions): AsyncIterable<TrailEntryJson>;
  /** Looks at the next 10,000 entries at most, so that a page can have few rows or none although `next` goes on. */
  page(options?: TrailOptions & TrailPageOptions): Promise<TrailPage>;
  /** JSON, an entry a line, earliest first. */
  export(options?: TrailOptions): Promise<string>;
}

/** Most exports take less than a second; the longest ones have millions of entries. */
const EXPORT_SECONDS = 300;

export function createTrailClient(endpoint: Endpoint): TrailClient {
  return {
    list: (options) => listPages<TrailEntryJson>(endpoint, '/trail', 'trail', { ...options }),
    page: async (options) => {
      const answer = await sendRequest(endpoint, 'GET', withQuery('/trail', { ...options }));
      const entries = memberOf(answer, 'trail') as readonly TrailEntryJson[];
      return { entries, next: (memberOf(answer, 'meta') as MetaJson).links.next };
    },
    export: async (options) => {
      const request = { wantsText: true, waitSeconds: EXPORT_SECONDS };
      const answer = await sendRequest(endpoint, 'GET', withQuery('/trail/export', { ...options }), request);
      if (typeof answer.body !== 'string') throw notOurs(answer.url, answer.status);
      return answer.body;
    },
  };
}
