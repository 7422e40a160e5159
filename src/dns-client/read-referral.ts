import { rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { domainNameAt, equalDomainNames, lowerDomainName, type DomainName } from '../dns/name.ts';
import { showName } from '../dns/show-name.ts';
import { DnsFailure } from './dns-failure.ts';

/**
 * Reads the nameservers of a domain from the answer of a server of its parent zone. A delegation is a referral: its NS records
 * stand in the authority section, and the answer is not authoritative (RFC 1034 section 4.3.2). A server that has the domain
 * itself answers with the domain's records, and not with those of the parent.
 *
 * @param message the answer to the question for the NS records of the domain
 * @param zone the parent zone
 * @returns host names in lower case; empty if the server does not delegate the domain
 * @throws DnsFailure if the answer says neither
 */
export function readReferral(
  { isAuthoritative, answers, authorities }: Message,
  domain: DomainName,
  zone: DomainName,
): readonly DomainName[] {
  const isNs = ({ type, owner }: MessageRecord): boolean =>
    type === rrType.NS && equalDomainNames(owner, domain);
  if (answers.length === 0 && !isAuthoritative) {
    const hosts = authorities.filter(isNs).flatMap(({ rdata }) => domainNameAt(rdata, 0) ?? []);
    if (hosts.length > 0) return hosts.map((host) => lowerDomainName(host));
    throw new DnsFailure('malformed', `it is not authoritative for ${showName(zone)}`);
  }
  const soa = authorities.find(({ type, owner }) => type === rrType.SOA && equalDomainNames(owner, zone));
  if (isAuthoritative && answers.length === 0 && soa !== undefined) return [];
  if (isAuthoritative && answers.some(isNs))
    throw new DnsFailure('malformed', 'it has the domain itself, and does not show the delegation');
  throw new DnsFailure('malformed', `its answer does not come from ${showName(zone)}`);
}
