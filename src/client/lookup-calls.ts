import type { DelegationJson } from '../contract/delegation-shape.ts';
import type { ExplanationJson } from '../contract/explanation-shape.ts';
import { getOne } from './get-one.ts';
import { domainPath, withQuery } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';

export interface ExplainedQuestion {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly resolver?: string | undefined;
  /** An earlier serial of the domain, or a time (RFC 3339); without `resolver`. */
  readonly at?: string | number | undefined;
}

/** The calls of `client.domains` that ask other servers about a domain. */
export interface LookupCalls {
  /**
   * Returns what the nameserver answers to a question, and which records make it so. With `resolver`, an IP address, the
   * service asks that resolver as well. With `at`, the answer follows from the records as they were then.
   *
   * @param question the name is relative to the domain; by default the domain itself and its addresses (A) are asked for
   */
  explain(domain: string, question?: ExplainedQuestion): Promise<ExplanationJson>;
  /**
   * Returns how the parent zone delegates the domain, how it should, and what to tell the registrar. With `refresh`, its
   * servers are asked again.
   */
  delegation(domain: string, options?: { readonly refresh?: boolean | undefined }): Promise<DelegationJson>;
}

export function createLookupCalls(endpoint: Endpoint): LookupCalls {
  return {
    explain: (domain, { name, type, resolver, at } = {}) => {
      const path = withQuery(`${domainPath(domain)}/explain`, { name, type, resolver, at });
      return getOne(endpoint, path, 'explanation');
    },
    delegation: (domain, { refresh = false } = {}) =>
      getOne(endpoint, `${domainPath(domain)}/delegation${refresh ? '?refresh=true' : ''}`, 'delegation'),
  };
}
