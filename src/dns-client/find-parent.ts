/**
 * Finds the parent zone of a domain and its nameservers, through a resolver:
 *
 *     SOA of the name above ─▶ zone ─▶ its nameservers and their addresses
 */
import { rrType } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import { equalDomainNames, isSubdomain, lowerDomainName, type DomainName } from '../dns/name.ts';
import { showName } from '../dns/show-name.ts';
import { createAskResolvers, type Ask } from './ask-resolvers.ts';
import { DnsFailure } from './dns-failure.ts';
import { findNameservers, MAX_ADDRESS_QUESTIONS, type ZoneServer } from './find-nameservers.ts';
import type { ParentLookup } from './parent-lookup.ts';

export interface ParentZone {
  /** In lower case. */
  readonly zone: DomainName;
  /** At least one. */
  readonly servers: readonly ZoneServer[];
}

/**
 * Labels that are removed from a name until a zone is found. One is enough if the resolver adds the SOA record to negative
 * answers, as RFC 2308 section 3 requires. Otherwise each label is a question; delegations of the IPv6 reverse tree are up
 * to twelve labels apart (/16 to /64).
 */
const MAX_LABELS_REMOVED = 12;

/** The most questions that `findParent` asks: the zone, its nameservers and their addresses. */
export const MAX_PARENT_QUESTIONS = MAX_LABELS_REMOVED + 1 + MAX_ADDRESS_QUESTIONS;

/** @throws DnsFailure if the parent zone or its nameservers are unknown; the reason of an aborted signal */
export async function findParent(domain: DomainName, lookup: ParentLookup): Promise<ParentZone> {
  const ask = createAskResolvers(lookup.resolvers, lookup);
  const zone = await findZoneAbove(domain, ask);
  return { zone, servers: await findNameservers(zone, ask, lookup) };
}

/** The closest zone above, never the domain's own. */
async function findZoneAbove(domain: DomainName, ask: Ask): Promise<DomainName> {
  let name = lowerDomainName(domain);
  for (let removed = 0; removed < MAX_LABELS_REMOVED && name.length > 1; removed++) {
    name = withoutFirstLabel(name);
    const zone = findZoneOf(name, await ask(name, rrType.SOA));
    if (zone !== undefined) return lowerDomainName(zone);
  }
  throw new DnsFailure('malformed', `the parent zone of ${showName(domain)} cannot be found`);
}

/**
 * The zone that a name is in, from the answer to the question for its SOA record: the name itself, or the zone that the
 * negative answer comes from. After an alias, the SOA record can be that of its target.
 */
function findZoneOf(name: DomainName, { answers, authorities }: Message): DomainName | undefined {
  const isOwn = answers.some(({ type, owner }) => type === rrType.SOA && equalDomainNames(owner, name));
  if (isOwn) return name;
  if (answers.length > 0) return undefined;
  return authorities.find(({ type, owner }) => type === rrType.SOA && isSubdomain(name, owner))?.owner;
}

function withoutFirstLabel(name: DomainName): DomainName {
  return name.subarray(1 + name[0]) as DomainName;
}
