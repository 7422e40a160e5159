import { canonicalRdata } from '../dns/rdata/rdata.ts';
import type { DomainRecord } from './record.ts';

type Content = Pick<DomainRecord, 'type' | 'rdata'>;

/** True if two records at one owner are the same in DNS: equal type and canonical data (RFC 4034 section 6.2). */
export function isSameContent(a: Content, b: Content): boolean {
  // Lower-casing names keeps their length, and never makes octets equal that differ in more than case.
  if (a.type !== b.type || a.rdata.length !== b.rdata.length) return false;
  let sameOctets = true;
  for (let at = 0; at < a.rdata.length; at++) {
    if (a.rdata[at] === b.rdata[at]) continue;
    if (lowerOctet(a.rdata[at]) !== lowerOctet(b.rdata[at])) return false;
    sameOctets = false;
  }
  if (sameOctets) return true;
  const canonical = canonicalRdata(b.type, b.rdata);
  return canonicalRdata(a.type, a.rdata).every((octet, at) => octet === canonical[at]);
}

/** A text that is equal for two records at one owner exactly if `isSameContent` is true for them. */
export function contentKey({ type, rdata }: Content): string {
  let key = `${type} `;
  for (const octet of canonicalRdata(type, rdata)) key += String.fromCharCode(octet);
  return key;
}

function lowerOctet(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
