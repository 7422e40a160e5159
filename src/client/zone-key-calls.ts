import type { ZoneKeyJson } from '../contract/zone-key-shape.ts';
import { getOne } from './get-one.ts';
import { domainPath } from './list-pages.ts';
import type { Endpoint } from './send-request.ts';
import { readCreated, readWritten, sendWrite } from './send-write.ts';
import type { Created, Real, WriteOptions, WriteResult, Written } from './write-options.ts';

/** The calls of `client.domains` that are about the keys of a signed domain. */
export interface ZoneKeyCalls {
  /** Lists the keys of a domain, without their private parts; none if it is not signed. */
  zoneKeys(domain: string): Promise<readonly ZoneKeyJson[]>;
  /**
   * Signs a domain with the private key that it has elsewhere, or publishes the key of another provider beside its own
   * (RFC 8901). Safe to repeat.
   */
  addZoneKey<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    key: { readonly private_key: string } | { readonly dnskey: string },
    options?: O,
  ): Promise<WriteResult<Created<ZoneKeyJson>, O>>;
  /**
   * Has CDS and CDNSKEY ask for the DS record of a key, or no longer: that of another provider, or the own one. At least one
   * key stays announced.
   */
  announceZoneKey<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    announced: boolean,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Removes a key of another provider. Refused (`dnssec_conflict`) while the parent zone has its DS record. */
  removeZoneKey<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
}

export function createZoneKeyCalls(endpoint: Endpoint): ZoneKeyCalls {
  const keysPath = (domain: string): string => `${domainPath(domain)}/dnssec/keys`;
  const keyPath = (domain: string, id: string): string => `${keysPath(domain)}/${encodeURIComponent(id)}`;
  return {
    zoneKeys: (domain) => getOne(endpoint, keysPath(domain), 'keys'),
    addZoneKey: (domain, body, options) =>
      sendWrite(endpoint, 'POST', keysPath(domain), { body }, options, readCreated<ZoneKeyJson>('key')),
    announceZoneKey: (domain, id, announced, options) =>
      sendWrite(endpoint, 'PATCH', keyPath(domain, id), { body: { announced } }, options, readWritten),
    removeZoneKey: (domain, id, options) =>
      sendWrite(endpoint, 'DELETE', keyPath(domain, id), {}, options, readWritten),
  };
}
