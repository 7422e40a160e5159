/**
 * Asks every nameserver of a domain for its SOA serial. A resolver shows one of them, perhaps as it was an hour ago: only
 * all nameservers together, secondaries included, say that a change has arrived.
 */
import { rrType } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import { equalDomainNames, lowerDomainName, type DomainName } from '../dns/name.ts';
import { checkRdata } from '../dns/rdata/rdata.ts';
import { showName } from '../dns/show-name.ts';
import { askEachServer, type ServerAnswer } from './ask-each-server.ts';
import { createAskResolvers } from './ask-resolvers.ts';
import { DnsFailure } from './dns-failure.ts';
import { findNameservers } from './find-nameservers.ts';
import type { ParentLookup } from './parent-lookup.ts';

/** The serial that one address of a nameserver has: 32 bits unsigned, to be compared by RFC 1982. */
export type ServerSerial = ServerAnswer<FoundSerial>;

interface FoundSerial {
  readonly serial: number;
}

/**
 * Returns each address of each nameserver of a domain, at least one entry. The nameservers are those that a resolver knows;
 * an address that may not be asked is a problem, see `ParentLookup`.
 *
 * @throws DnsFailure if the nameservers are unknown; the reason of an aborted signal
 */
export async function askSerials(domain: DomainName, lookup: ParentLookup): Promise<readonly ServerSerial[]> {
  const zone = lowerDomainName(domain);
  const servers = await findNameservers(zone, createAskResolvers(lookup.resolvers, lookup), lookup);
  const read = (message: Message): FoundSerial => ({ serial: readSerial(message, zone) });
  return askEachServer(servers, { name: zone, type: rrType.SOA, read }, lookup);
}

/** Five numbers of four octets stand after the names; the serial is the first of them (RFC 1035 section 3.3.13). */
const SERIAL_OCTETS_FROM_END = 20;

/** The serial of a domain's nameserver. A server without the zone refuses, or answers from a cache. */
export function readSerial({ isAuthoritative, answers }: Message, zone: DomainName): number {
  if (!isAuthoritative) throw new DnsFailure('malformed', `it is not authoritative for ${showName(zone)}`);
  const soa = answers.find(({ type, owner }) => type === rrType.SOA && equalDomainNames(owner, zone));
  if (soa === undefined || checkRdata(rrType.SOA, soa.rdata) !== undefined)
    throw new DnsFailure('malformed', `its answer has no SOA record of ${showName(zone)}`);
  const { buffer, byteOffset, length } = soa.rdata;
  return new DataView(buffer, byteOffset, length).getUint32(length - SERIAL_OCTETS_FROM_END);
}
