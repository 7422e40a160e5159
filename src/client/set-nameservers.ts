import type { DomainNameserversJson, MetaJson } from '../contract/response-shapes.ts';
import { ApiError } from './api-error.ts';
import { withQuery } from './list-pages.ts';
import { memberOf, notOurs } from './read-answer.ts';
import { NOT_A_DRY_RUN } from './send-write.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
import { isDryRun, type WriteOptions } from './write-options.ts';

export interface Nameservers {
  /** Former names, besides the placeholder of an unset setting; `*` stands for every name. */
  readonly from?: readonly string[] | undefined;
  /** The names that replace them; those of the service if absent. */
  readonly to?: readonly string[] | undefined;
  /** All domains of the account if absent. */
  readonly domains?: readonly string[] | undefined;
}

/** The most names of one request. */
const MAX_NAMED_DOMAINS = 100;

/** Sends one request for each step, when its domains are needed. */
export async function* setNameservers(
  endpoint: Endpoint,
  { domains, ...names }: Nameservers,
  options: Pick<WriteOptions, 'note' | 'dryRun'> = {},
): AsyncGenerator<DomainNameserversJson, void, undefined> {
  for (const part of domains === undefined ? [undefined] : cut(domains))
    yield* setInPages(endpoint, { ...names, domains: part }, options);
}

async function* setInPages(
  endpoint: Endpoint,
  body: Nameservers,
  options: Pick<WriteOptions, 'note' | 'dryRun'>,
): AsyncGenerator<DomainNameserversJson, void, undefined> {
  let cursor: string | undefined;
  do {
    const path = withQuery('/nameservers', { cursor });
    const page = await sendRequest(endpoint, 'PUT', path, { body, ...options });
    if (options.dryRun === true && !isDryRun(page.body)) throw new ApiError(page.status, NOT_A_DRY_RUN);
    yield* memberOf(page, 'domains') as readonly DomainNameserversJson[];
    const { next } = (memberOf(page, 'meta') as MetaJson).links;
    // Prevents an endless loop.
    if (next === cursor) throw notOurs(page.url, page.status);
    cursor = next;
  } while (cursor !== '');
}

function* cut(domains: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < domains.length; at += MAX_NAMED_DOMAINS)
    yield domains.slice(at, at + MAX_NAMED_DOMAINS);
}
