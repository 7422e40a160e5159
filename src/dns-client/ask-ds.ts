/**
 * Asks every server of a parent zone for the DS records of a domain. A registry's servers do not change at the same
 * moment, and a resolver shows one of them, perhaps as it was a day ago: only all servers together say that a DS record
 * has arrived or is gone.
 */
import { rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { equalDomainNames, type DomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { showName } from '../dns/show-name.ts';
import { askEachServer, type ServerAnswer } from './ask-each-server.ts';
import { DnsFailure } from './dns-failure.ts';
import { findParent } from './find-parent.ts';
import { checkCount, ListedTexts } from './listed-texts.ts';
import type { ParentLookup } from './parent-lookup.ts';

/** The DS records of a domain at its parent zone. */
export interface ParentDs {
  /** The parent zone: lower case, without the final dot; `.` is the root. */
  readonly parent: string;
  /** Each address of each nameserver, at least one. */
  readonly servers: readonly ServerDs[];
  /** The longest time, in seconds, for which resolvers may keep a DS record that a server has now; 0 if none has one. */
  readonly maxTtl: number;
}

/**
 * - `ds`: in presentation format and sorted (`27933 13 2 E2D3…`), empty if the domain has none.
 * - `ttl`: of the records, in seconds; without records, the time for which resolvers remember that (RFC 2308 section 5).
 */
export type ServerDs = ServerAnswer<FoundDs>;

interface FoundDs {
  readonly ds: readonly string[];
  readonly ttl: number;
}

/** Key tag, algorithm, digest type, and a digest of 64 octets; the longest of those assigned, SHA-384, has 48 (RFC 6605). */
const MAX_DS_OCTETS = 4 + 64;

/** @throws DnsFailure if the parent zone or its nameservers are unknown; the reason of an aborted signal */
export async function askDs(domain: DomainName, lookup: ParentLookup): Promise<ParentDs> {
  const { zone, servers: found } = await findParent(domain, lookup);
  const listed = new ListedTexts();
  const read = (message: Message): FoundDs => {
    const answer = readDs(message, domain, zone);
    listed.add(answer.ds);
    return answer;
  };
  const servers = await askEachServer(found, { name: domain, type: rrType.DS, read }, lookup);
  const ttls = servers.map((server) => ('ds' in server && server.ds.length > 0 ? server.ttl : 0));
  return { parent: showName(zone), servers, maxTtl: Math.max(...ttls) };
}

/**
 * Only the parent knows that there is no DS record. Its negative answer has its own SOA record (RFC 2308 section 2); a
 * server that also has the domain itself, and does not know DNSSEC, answers with the domain's (RFC 4035 section 3.1.4.1).
 */
export function readDs(
  { isAuthoritative, answers, authorities }: Message,
  domain: DomainName,
  zone: DomainName,
): FoundDs {
  if (!isAuthoritative) throw new DnsFailure('malformed', `it is not authoritative for ${showName(zone)}`);
  const found = answers.filter(({ type, owner }) => type === rrType.DS && equalDomainNames(owner, domain));
  checkCount(found, 'DS records');
  if (found.some(({ rdata }) => rdata.length > MAX_DS_OCTETS))
    throw new DnsFailure('malformed', 'it has a DS record that is longer than any digest');
  if (found.length > 0) {
    const ds = found.map(({ type, rdata }) => formatRdata(type, rdata)).sort();
    return { ds, ttl: found.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity) };
  }
  const soa = authorities.find(({ type, owner }) => type === rrType.SOA && equalDomainNames(owner, zone));
  if (answers.length === 0 && soa !== undefined) return { ds: [], ttl: negativeTtl(soa) };
  throw new DnsFailure('malformed', `its answer does not come from ${showName(zone)}`);
}

/** The lower of the TTL of the SOA record and its last field. */
function negativeTtl({ ttl, rdata }: MessageRecord): number {
  const minimum = new DataView(rdata.buffer, rdata.byteOffset + rdata.length - 4, 4).getUint32(0);
  return Math.min(ttl, minimum);
}
