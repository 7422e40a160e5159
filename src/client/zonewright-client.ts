import { createAccessesClient, type AccessesClient } from './accesses-client.ts';
import {
  createAccountsClient,
  createKeysClient,
  type AccountsClient,
  type KeysClient,
} from './accounts-client.ts';
import { createDomainsClient, type DomainsClient } from './domains-client.ts';
import { createFactorsClient, type FactorsClient } from './factors-client.ts';
import { createRecordsClient, type RecordsClient } from './records-client.ts';
import type { Endpoint } from './send-request.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';
import { createTrailClient, type TrailClient } from './trail-client.ts';
import { createUsersClient, type UsersClient } from './users-client.ts';
import { createZoneFilesClient, type ZoneFilesClient } from './zone-files-client.ts';

export { ApiError, UnreachableError } from './api-error.ts';

/**
 * A client of the HTTP interface (docs/contract.md) for the command line, web consoles and scripts: typed calls over `fetch`;
 * lists are async iterators that load pages as needed. Runs in Node and in browsers; stateless.
 */
export interface ZonewrightClient {
  readonly accounts: AccountsClient;
  readonly keys: KeysClient;
  readonly users: UsersClient;
  readonly domains: DomainsClient;
  readonly records: RecordsClient;
  readonly zoneFiles: ZoneFilesClient;
  readonly session: SessionClient;
  readonly factors: FactorsClient;
  readonly trail: TrailClient;
  readonly accesses: AccessesClient;
}

export interface ClientOptions {
  /** The address of the service, with or without `/v2`: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Empty or absent: none is sent. A browser whose user has signed in sends the cookie of the session (`client.session`). */
  readonly key?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Replaces the timer for Retry-After, for tests and for programs that show the wait or end it: the request rejects with what
   * this rejects with. `status` is that of the answer, 429 or 503; absent after a broken connection. `signal` is that of the
   * request, if it has one: the wait is of no use once it is aborted.
   */
  readonly sleep?: (ms: number, status?: number, signal?: AbortSignal) => Promise<void>;
}

/** @throws TypeError if the URL is invalid. Calls reject with ApiError or UnreachableError. */
export function createClient(options: ClientOptions): ZonewrightClient {
  const endpoint = createEndpoint(options);
  return {
    accounts: createAccountsClient(endpoint),
    keys: createKeysClient(endpoint),
    users: createUsersClient(endpoint),
    domains: createDomainsClient(endpoint),
    records: createRecordsClient(endpoint),
    zoneFiles: createZoneFilesClient(endpoint),
    session: createSessionClient(endpoint),
    factors: createFactorsClient(endpoint),
    trail: createTrailClient(endpoint),
    accesses: createAccessesClient(endpoint),
  };
}

function createEndpoint(options: ClientOptions): Endpoint {
  return {
    url: baseUrl(options.url),
    key: options.key ?? '',
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    sleep: options.sleep ?? wait,
  };
}

function wait(ms: number, _status?: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

function baseUrl(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`${text} is not an http or https URL`);
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v2$/, '');
}
