import { canonicalRdata } from '../dns/rdata.ts';
import type { DomainRecord, SentRecord } from './record.ts';

/**
 * The record at its owner that is sent, as far as there is one (contract rules 25, 26, 39). Of several that show alike
 * the first that is not taken yet, best with the same TTL and priority.
 *
 * @param taken ids
 */
export function findSameRecord(
  standing: readonly DomainRecord[],
  sent: SentRecord,
  taken: ReadonlySet<string> = NONE,
): DomainRecord | undefined {
  if (sent.asShown === undefined) return standing.find((other) => isSameContent(other, sent));
  const alike = standing.filter(({ type, data }) => type === sent.type && data === sent.data);
  const free = alike.filter(({ id }) => !taken.has(id));
  const candidates = free.length > 0 ? free : alike;
  return (
    candidates.find(({ ttl, priority }) => ttl === sent.ttl && priority === sent.priority) ?? candidates.at(0)
  );
}

const NONE: ReadonlySet<string> = new Set();

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

function lowerOctet(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
