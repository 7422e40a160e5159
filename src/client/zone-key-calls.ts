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
  /** Removes a key of another provider. Refused (`dnssec_conflict`) while the parent zone has its DS record. */
  removeZoneKey<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
}

export function createZoneKeyCalls(endpoint: Endpoint): ZoneKeyCalls {
  const keysPath = (domain: string): string => `${domainPath(domain)}/dnssec/keys`;
  return {
    zoneKeys: (domain) => getOne(endpoint, keysPath(domain), 'keys'),
    addZoneKey: (domain, body, options) =>
      sendWrite(endpoint, 'POST', keysPath(domain), { body }, options, readCreated<ZoneKeyJson>('key')),
    removeZoneKey: (domain, id, options) =>
      sendWrite(
        endpoint,
        'DELETE',
        `${keysPath(domain)}/${encodeURIComponent(id)}`,
        {},
        options,
        readWritten,
      ),
  };
}
