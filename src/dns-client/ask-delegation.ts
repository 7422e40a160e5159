/**
 * Asks every server of a parent zone how it delegates a domain:
 *
 *     parent zone ─▶ NS at each of its servers, with glue ─▶ DS at those that answered
 *
 * A registry's servers do not change at the same moment, and a resolver shows one of them, perhaps as it was a day ago.
 */
import { rrType } from '../dns/codes.ts';
import { formatIpv4, formatIpv6 } from '../dns/ip-address.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { isSubdomain, type DomainName } from '../dns/name.ts';
import { showName } from '../dns/show-name.ts';
import { readDs } from './ask-ds.ts';
import { askEachServer, type ServerAnswer } from './ask-each-server.ts';
import { DnsFailure } from './dns-failure.ts';
import { MAX_SERVERS, type ZoneServer } from './find-nameservers.ts';
import { findParent, MAX_PARENT_QUESTIONS } from './find-parent.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { readReferral } from './read-referral.ts';

/** How the servers of the parent zone delegate a domain. */
export interface DelegationSight {
  /** The parent zone: lower case, without the final dot; `.` is the root. */
  readonly parent: string;
  /** Each address of each nameserver, at least one. */
  readonly servers: readonly ServerDelegation[];
}

export type ServerDelegation = ServerAnswer<SeenDelegation>;

export interface SeenDelegation {
  /** Host names in lower case, without the final dot, sorted; empty if the server does not delegate the domain. */
  readonly nameservers: readonly string[];
  /** Addresses of those of them that are inside the domain. */
  readonly glue: readonly GlueAddress[];
  /** In presentation format and sorted; undefined if the server gave no usable answer for DS. */
  readonly ds: readonly string[] | undefined;
}

export interface GlueAddress {
  readonly name: string;
  readonly address: string;
}

/** The most questions of one look: 45 for the parent zone and its servers, and two for each of up to 64 servers. */
export const MAX_DELEGATION_QUESTIONS = MAX_PARENT_QUESTIONS + 2 * MAX_SERVERS;

/** Twice what fits into a referral (RFC 9471); of a server that sends more, no list is kept. */
const MAX_LISTED = 32;

/** @throws DnsFailure if the parent zone or its nameservers are unknown; the reason of an aborted signal */
export async function askDelegation(domain: DomainName, lookup: ParentLookup): Promise<DelegationSight> {
  const { zone, servers } = await findParent(domain, lookup);
  const readNs = (message: Message): Omit<SeenDelegation, 'ds'> => readDelegation(message, domain, zone);
  const found = await askEachServer(servers, { name: domain, type: rrType.NS, read: readNs }, lookup);
  const answering = servers.filter((_, i) => 'nameservers' in found[i]);
  return { parent: showName(zone), servers: await addDs(found, answering, domain, zone, lookup) };
}

/** @param answering those of `found` that have answered, in the same order; the others would only be waited for again */
async function addDs(
  found: readonly ServerAnswer<Omit<SeenDelegation, 'ds'>>[],
  answering: readonly ZoneServer[],
  domain: DomainName,
  zone: DomainName,
  lookup: ParentLookup,
): Promise<readonly ServerDelegation[]> {
  const read = (message: Message): { ds: readonly string[] } => {
    const { ds } = readDs(message, domain, zone);
    if (ds.length > MAX_LISTED) throw new DnsFailure('malformed', tooMany('DS records'));
    return { ds };
  };
  const answers = await askEachServer(answering, { name: domain, type: rrType.DS, read }, lookup);
  let at = 0;
  return found.map((server): ServerDelegation => {
    if (!('nameservers' in server)) return server;
    const answer = answers[at++];
    return { ...server, ds: 'ds' in answer ? answer.ds : undefined };
  });
}

function readDelegation(message: Message, domain: DomainName, zone: DomainName): Omit<SeenDelegation, 'ds'> {
  const nameservers = [...new Set(readReferral(message, domain, zone).map(showName))].sort();
  const glue = message.additionals
    .filter(({ owner }) => isSubdomain(owner, domain))
    .flatMap(readAddress)
    .filter(({ name }) => nameservers.includes(name));
  if (nameservers.length > MAX_LISTED) throw new DnsFailure('malformed', tooMany('nameservers'));
  if (glue.length > MAX_LISTED) throw new DnsFailure('malformed', tooMany('addresses'));
  return { nameservers, glue };
}

function tooMany(what: string): string {
  return `it lists more than ${MAX_LISTED} ${what}`;
}

function readAddress({ owner, type, rdata }: MessageRecord): GlueAddress[] {
  const name = showName(owner);
  if (type === rrType.A && rdata.length === 4) return [{ name, address: formatIpv4(rdata) }];
  if (type === rrType.AAAA && rdata.length === 16) return [{ name, address: formatIpv6(rdata) }];
  return [];
}
