import type { DelegationJson } from '../contract/delegation-shape.ts';
import { getOne } from './get-one.ts';
import { domainPath } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';

/** The calls of `client.domains` that ask other servers about a domain. */
export interface LookupCalls {
  /**
   * Returns how the parent zone delegates the domain, how it should, and what to tell the registrar. With `refresh`, its
   * servers are asked again.
   */
  delegation(domain: string, options?: { readonly refresh?: boolean | undefined }): Promise<DelegationJson>;
}

export function createLookupCalls(endpoint: Endpoint): LookupCalls {
  return {
    delegation: (domain, { refresh = false } = {}) =>
      getOne(endpoint, `${domainPath(domain)}/delegation${refresh ? '?refresh=true' : ''}`, 'delegation'),
  };
}
