import type { DomainJson } from '../contract/response-shapes.ts';
import type { RolloverJson, SigningStatusJson } from '../contract/signing-status-shape.ts';
import { getOne } from './get-one.ts';
import { domainPath } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';
import { readCreated, readWritten, sendWrite } from './send-write.ts';
import type { Created, Real, WriteOptions, WriteResult, Written } from './write-options.ts';

/** The calls of `client.domains` that are about signing. */
export interface SigningCalls {
  /** Lists DNSKEY and DS records in presentation format; none while signing is disabled. */
  dnssec(domain: string): Promise<readonly string[]>;
  /** Returns how the domain is signed, which DS records its parent zone has, and what to do next. */
  dnssecStatus(domain: string): Promise<SigningStatusJson>;
  /**
   * Signs the domain, or withdraws signing: it stays signed until its DS record is gone from the parent zone, and the service
   * ends signing then. With `force`, signing ends at once.
   */
  setDnssec<O extends DnssecOptions = Real<DnssecOptions>>(
    domain: string,
    state: DomainJson['dns_sec'],
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Changes how a signed domain proves that a name does not exist; all of it is signed again. */
  setDenial<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    denial: 'nsec' | 'nsec3',
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Holds the rollover or withdrawal in progress, so that no step follows by itself, or lets it go on. */
  holdRollover<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    hold: boolean,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /**
   * Says which DS records the parent zone has, for a step that waits for them. Refused (`dnssec_conflict`) if the service can
   * ask the parent zone itself.
   *
   * @param seen RDATA of all DS records, none if there are none; the TTL in seconds, a day if it is absent
   */
  noteDsSeen<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    seen: { readonly ds: readonly string[]; readonly ttl?: number | undefined },
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Begins to exchange the key of a signed domain. The new one has another algorithm (13 or 15) if that is given. */
  startRollover<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    wanted?: { readonly algorithm?: number | undefined },
    options?: O,
  ): Promise<WriteResult<Created<RolloverJson>, O>>;
  /** Refused (`dnssec_conflict`) once the parent zone has the DS record of the new key. @param id see `dnssecStatus` */
  cancelRollover<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
}

export interface DnssecOptions extends WriteOptions {
  /** Ends signing at once, although resolvers reject unsigned answers while the parent zone has a DS record. */
  readonly force?: boolean | undefined;
}

export function createSigningCalls(endpoint: Endpoint): SigningCalls {
  return {
    dnssec: (domain) => getOne(endpoint, `${domainPath(domain)}/dnssec`, 'dns_sec'),
    dnssecStatus: (domain) => getOne(endpoint, `${domainPath(domain)}/dnssec/status`, 'dnssec'),
    setDnssec: (domain, state, options) =>
      sendWrite(
        endpoint,
        'PATCH',
        `${domainPath(domain)}${options?.force === true ? '?force=true' : ''}`,
        { body: { dns_sec: state } },
        options,
        readWritten,
      ),
    setDenial: (domain, denial, options) =>
      sendWrite(
        endpoint,
        'PATCH',
        `${domainPath(domain)}/dnssec`,
        { body: { denial } },
        options,
        readWritten,
      ),
    holdRollover: (domain, hold, options) =>
      sendWrite(endpoint, 'PATCH', `${domainPath(domain)}/dnssec`, { body: { hold } }, options, readWritten),
    noteDsSeen: (domain, body, options) =>
      sendWrite(endpoint, 'POST', `${domainPath(domain)}/dnssec/ds_seen`, { body }, options, readWritten),
    startRollover: (domain, { algorithm } = {}, options) =>
      sendWrite(
        endpoint,
        'POST',
        `${domainPath(domain)}/dnssec/rollovers`,
        { body: { algorithm } },
        options,
        readCreated<RolloverJson>('rollover'),
      ),
    cancelRollover: (domain, id, options) =>
      sendWrite(
        endpoint,
        'DELETE',
        `${domainPath(domain)}/dnssec/rollovers/${encodeURIComponent(id)}`,
        {},
        options,
        readWritten,
      ),
  };
}
