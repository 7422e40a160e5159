/** DS data of a key (RFC 4034 section 5.1.4), which is also the data of CDS (RFC 7344 section 3.1). */
import { createHash } from 'node:crypto';
import { lowerDomainName, type DomainName } from '../dns/name.ts';
import { keyTag } from './zone-key.ts';

/** The digest type that all validators know, and the only one to publish (RFC 8624 section 3.3). */
export const DIGEST_SHA256 = 2;

/** The algorithm stands in the fourth octet of DNSKEY RDATA (RFC 4034 section 2.1). */
const DNSKEY_ALGORITHM_AT = 3;

export function dsRdata(apex: DomainName, dnskey: Uint8Array): Uint8Array {
  const digest = createHash('sha256').update(lowerDomainName(apex)).update(dnskey).digest();
  const tag = keyTag(dnskey);
  return Uint8Array.from([tag >>> 8, tag & 0xff, dnskey[DNSKEY_ALGORITHM_AT], DIGEST_SHA256, ...digest]);
}
