import type {
  ChangeJson,
  DeletedDomainJson,
  DomainNameserversJson,
  DomainJson,
  PropagationJson,
  SoaJson,
  WarningJson,
} from '../contract/response-shapes.ts';
import { getOne } from './get-one.ts';
import { domainPath, getPage, listPages, type Page, type PageOptions } from './list-pages.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
import { readChanged, readCreated, readWritten, sendWrite, type RecordsChanged } from './send-write.ts';
import { setNameservers, type Nameservers } from './set-nameservers.ts';
import { getPropagation, waitForPropagation, type PropagationWait } from './wait-for-propagation.ts';
import { createClaimCalls, type ClaimCalls } from './claim-calls.ts';
import { createLookupCalls, type LookupCalls } from './lookup-calls.ts';
import { createSigningCalls, type SigningCalls } from './signing-calls.ts';
import type { Created, Real, WriteOptions, WriteResult, Written } from './write-options.ts';
import { createZoneKeyCalls, type ZoneKeyCalls } from './zone-key-calls.ts';
import type { TrailOptions } from './trail-client.ts';

export interface DomainsClient extends SigningCalls, ZoneKeyCalls, ClaimCalls, LookupCalls {
  /** Lists domains by name; `search` matches a part of the name. */
  list(filter?: { readonly search?: string | undefined }): AsyncIterable<DomainJson>;
  create<O extends WriteOptions = Real<WriteOptions>>(
    domain: {
      readonly domain: string;
      readonly ip?: string | undefined;
      readonly dns_sec?: DomainJson['dns_sec'] | undefined;
    },
    options?: O,
  ): Promise<WriteResult<Created<DomainJson>, O>>;
  get(domain: string): Promise<DomainJson>;
  /** Returns the current revision, for `ifMatch`. */
  revision(domain: string): Promise<string | undefined>;
  /** Returns the current revision with the serial that includes it, to read `changes` since then later. */
  version(domain: string): Promise<Pick<Written, 'etag' | 'serial'>>;
  delete<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Lists the deleted domains that can be restored. */
  listDeleted(): AsyncIterable<DeletedDomainJson>;
  /** Restores a deleted domain: the one with the given id (see `listDeleted`), or else the most recently deleted one. */
  restore<O extends RestoreOptions = Real<RestoreOptions>>(
    domain: string,
    options?: O,
  ): Promise<WriteResult<Created<DomainJson>, O>>;
  /**
   * Replaces former nameservers in many domains, in steps of at most a hundred, each domain by itself; safe to repeat.
   * Yields what was done to each. Domains that were left have a `reason`, and a `code` if there was an error.
   */
  setNameservers(
    nameservers: Nameservers,
    options?: Pick<WriteOptions, 'note' | 'dryRun'>,
  ): AsyncIterable<DomainNameserversJson>;
  soa(domain: string): Promise<SoaJson>;
  updateSoa<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    soa: { readonly nsprimary?: string | undefined; readonly email?: string | undefined },
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Lists likely mistakes in the domain. */
  check(domain: string): Promise<readonly WarningJson[]>;
  /** Lists changes, newest first. */
  changes(domain: string, filter?: ChangeOptions): AsyncIterable<ChangeJson>;
  /**
   * Returns one page of `changes`, for programs that read on when somebody asks. With a filter, it looks at the next 10,000 changes at most,
   * so that it can have few rows or none although `next` goes on.
   */
  changePage(domain: string, options?: PageOptions & ChangeOptions): Promise<Page<ChangeJson>>;
  /** Reverts records and SOA fields to an earlier serial. */
  revert<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    serial: number,
    options?: O,
  ): Promise<WriteResult<RecordsChanged, O>>;
  /** Returns the serial that each nameserver serves; with `waitSeconds` (0…60), waits until all live ones serve the serial. */
  propagation(
    domain: string,
    options?: { readonly serial?: number | undefined; readonly waitSeconds?: number },
  ): Promise<PropagationJson>;
  /** Resolves as soon as all live nameservers serve the serial, or with `current: false` when the time is up. */
  waitForPropagation(domain: string, options: PropagationWait): Promise<PropagationJson>;
}

/** All given conditions must hold. */
export type ChangeOptions = Pick<TrailOptions, 'actor' | 'from' | 'to'>;

export interface RestoreOptions extends WriteOptions {
  readonly id?: string | undefined;
}

export function createDomainsClient(endpoint: Endpoint): DomainsClient {
  return {
    list: (filter = {}) => listPages<DomainJson>(endpoint, '/domains', 'domains', { ...filter }),
    create: (body, options) =>
      sendWrite(endpoint, 'POST', '/domains', { body }, options, readCreated<DomainJson>('domain')),
    get: (domain) => getOne(endpoint, domainPath(domain), 'domain'),
    revision: async (domain) => (await sendRequest(endpoint, 'GET', domainPath(domain))).etag,
    version: async (domain) => {
      const { etag, zoneSerial } = await sendRequest(endpoint, 'GET', domainPath(domain));
      return { etag, serial: zoneSerial };
    },
    delete: (domain, options) => sendWrite(endpoint, 'DELETE', domainPath(domain), {}, options, readWritten),
    listDeleted: () => listPages<DeletedDomainJson>(endpoint, '/deleted_domains', 'deleted_domains'),
    restore: (domain, options) =>
      sendWrite(
        endpoint,
        'POST',
        `${domainPath(domain)}/restore`,
        { body: { id: options?.id } },
        options,
        readCreated<DomainJson>('domain'),
      ),
    setNameservers: (nameservers, options) => setNameservers(endpoint, nameservers, options),
    soa: (domain) => getOne(endpoint, `${domainPath(domain)}/soa`, 'dns_soa'),
    updateSoa: (domain, body, options) =>
      sendWrite(endpoint, 'PATCH', `${domainPath(domain)}/soa`, { body }, options, readWritten),
    ...createSigningCalls(endpoint),
    ...createZoneKeyCalls(endpoint),
    ...createClaimCalls(endpoint),
    ...createLookupCalls(endpoint),
    check: (domain) => getOne(endpoint, `${domainPath(domain)}/check`, 'warnings'),
    changes: (domain, filter) =>
      listPages<ChangeJson>(endpoint, `${domainPath(domain)}/changes`, 'changes', { ...filter }),
    changePage: (domain, { actor, from, to, ...page } = {}) =>
      getPage<ChangeJson>(endpoint, `${domainPath(domain)}/changes`, 'changes', { actor, from, to }, page),
    revert: (domain, serial, options) =>
      sendWrite(
        endpoint,
        'POST',
        `${domainPath(domain)}/revert`,
        { body: { to: serial } },
        options,
        readChanged,
      ),
    propagation: (domain, wanted) => getPropagation(endpoint, domainPath(domain), wanted),
    waitForPropagation: (domain, wait) => waitForPropagation(endpoint, domainPath(domain), wait),
  };
}
