import { canonicalRdata } from '../dns/rdata/rdata.ts';
import type { DomainRecord } from './record.ts';

type Content = Pick<DomainRecord, 'type' | 'rdata'>;

/** True when two records at one owner are one and the same for DNS: type and canonical data (RFC 4034 section 6.2). */
export function isSameContent(a: Content, b: Content): boolean {
  // Lower-casing names keeps the length, and leaves octets that differ in more than case different.
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

/** A text that two records at one owner share just where `isSameContent` is true of them. */
export function contentKey({ type, rdata }: Content): string {
  let key = `${type} `;
  for (const octet of canonicalRdata(type, rdata)) key += String.fromCharCode(octet);
  return key;
}

function lowerOctet(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
