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
import { MAX_SERVERS } from './find-nameservers.ts';
import { findParent, MAX_PARENT_QUESTIONS } from './find-parent.ts';
import { checkCount, ListedTexts } from './listed-texts.ts';
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

/** @throws DnsFailure if the parent zone or its nameservers are unknown; the reason of an aborted signal */
export async function askDelegation(domain: DomainName, lookup: ParentLookup): Promise<DelegationSight> {
  const { zone, servers } = await findParent(domain, lookup);
  const listed = new ListedTexts();
  const readNs = (message: Message): Omit<SeenDelegation, 'ds'> => {
    const { nameservers, glue } = readDelegation(message, domain, zone);
    listed.add(nameservers, glue);
    return { nameservers, glue };
  };
  const found = await askEachServer(servers, { name: domain, type: rrType.NS, read: readNs }, lookup);
  const answering = servers.filter((_, i) => 'nameservers' in found[i]);
  const readDsOnly = (message: Message): { ds: readonly string[] } => {
    const { ds } = readDs(message, domain, zone);
    listed.add(ds);
    return { ds };
  };
  const answers = await askEachServer(answering, { name: domain, type: rrType.DS, read: readDsOnly }, lookup);
  return { parent: showName(zone), servers: addDs(found, answers) };
}

/** @param answers of those of `found` that have answered, in the same order; the others would only be waited for again */
function addDs(
  found: readonly ServerAnswer<Omit<SeenDelegation, 'ds'>>[],
  answers: readonly ServerAnswer<{ readonly ds: readonly string[] }>[],
): readonly ServerDelegation[] {
  let at = 0;
  return found.map((server): ServerDelegation => {
    if (!('nameservers' in server)) return server;
    const answer = answers[at++];
    return { ...server, ds: 'ds' in answer ? answer.ds : undefined };
  });
}

function readDelegation(message: Message, domain: DomainName, zone: DomainName): Omit<SeenDelegation, 'ds'> {
  const hosts = readReferral(message, domain, zone);
  checkCount(hosts, 'nameservers');
  const nameservers = [...new Set(hosts.map(showName))].sort();
  const glue = message.additionals
    .filter(({ owner }) => isSubdomain(owner, domain))
    .flatMap(readAddress)
    .filter(({ name }) => nameservers.includes(name));
  checkCount(glue, 'addresses');
  return { nameservers, glue };
}

function readAddress({ owner, type, rdata }: MessageRecord): GlueAddress[] {
  const name = showName(owner);
  if (type === rrType.A && rdata.length === 4) return [{ name, address: formatIpv4(rdata) }];
  if (type === rrType.AAAA && rdata.length === 16) return [{ name, address: formatIpv6(rdata) }];
  return [];
}
