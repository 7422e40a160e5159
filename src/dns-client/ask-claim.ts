/**
 * Asks who controls a domain: every server of its parent zone for the delegation, then every nameserver of the domain for a
 * challenge, a TXT record that only the holder of its zone can set.
 *
 *     parent zone ─▶ NS at each of its servers ─▶ nameservers that any of them names ─▶ TXT at each of their addresses
 *
 * A domain that no server delegates belongs to the parent zone, whose servers are asked for the challenge. Resolvers are not
 * asked for either: they show one server, perhaps as it was a day ago.
 */
import { rrType } from '../dns/codes.ts';
import { decodeCharacterStrings } from '../dns/character-strings.ts';
import type { Message } from '../dns/message.ts';
import { equalDomainNames, type DomainName } from '../dns/name.ts';
import { checkRdata } from '../dns/rdata/rdata.ts';
import { showName } from '../dns/show-name.ts';
import { askEachServer, type ServerAnswer } from './ask-each-server.ts';
import { createAskResolvers } from './ask-resolvers.ts';
import { DnsFailure } from './dns-failure.ts';
import { findServers, MAX_ADDRESS_QUESTIONS, MAX_SERVERS, type ZoneServer } from './find-nameservers.ts';
import { findParent, MAX_PARENT_QUESTIONS } from './find-parent.ts';
import { checkCount, ListedTexts } from './listed-texts.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { readReferral } from './read-referral.ts';

/** The servers of the parent zone, and the nameservers of the domain that they name. */
export interface ClaimSight {
  /** The parent zone: lower case, without the final dot; `.` is the root. */
  readonly parent: string;
  readonly parentServers: readonly ServerAnswer<FoundDelegation>[];
  /** Those of the domain, or of the parent zone if the domain is not delegated; empty without a challenge. */
  readonly nameservers: readonly ServerAnswer<FoundChallenges>[];
}

export interface FoundDelegation {
  /** Host names in lower case, without the final dot, sorted; empty if the server does not delegate the domain. */
  readonly delegatedTo: readonly string[];
}

export interface FoundChallenges {
  /** TXT records with the prefix, at most `MAX_CHALLENGES`. */
  readonly challenges: readonly string[];
}

/** The record that is looked for. */
export interface WantedChallenge {
  readonly name: DomainName;
  /** Other TXT records are nobody's business. */
  readonly prefix: string;
}

/**
 * The most questions of one look: 45 for the parent zone and its servers, 32 for the addresses of the nameservers, and one for each
 * of up to 64 servers of both: 205. A question that is lost is repeated, see `DnsClient`.
 */
export const MAX_CLAIM_QUESTIONS = MAX_PARENT_QUESTIONS + MAX_ADDRESS_QUESTIONS + 2 * MAX_SERVERS;

/** Several accounts and services may ask for one; more are no proof that is worth reading. */
const MAX_CHALLENGES = 20;

/** One character string; a challenge is shorter. */
const MAX_CHALLENGE_CHARACTERS = 255;

/**
 * @param challenge undefined: its name would be too long
 * @throws DnsFailure if the parent zone or its nameservers are unknown; the reason of an aborted signal
 */
export async function askClaim(
  domain: DomainName,
  challenge: WantedChallenge | undefined,
  lookup: ParentLookup,
): Promise<ClaimSight> {
  const { zone, servers } = await findParent(domain, lookup);
  const listed = new ListedTexts();
  const names = new Map<string, DomainName>();
  const readDelegation = (message: Message): FoundDelegation => {
    const hosts = readReferral(message, domain, zone);
    checkCount(hosts, 'nameservers');
    const delegatedTo = [...new Set(hosts.map(showName))].sort();
    listed.add(delegatedTo);
    for (const host of hosts) names.set(showName(host), host);
    return { delegatedTo };
  };
  const parentServers = await askEachServer(
    servers,
    { name: domain, type: rrType.NS, read: readDelegation },
    lookup,
  );
  const parent = showName(zone);
  if (challenge === undefined) return { parent, parentServers, nameservers: [] };
  const present = await findPresent(servers, parentServers, names, lookup);
  const read = (message: Message): FoundChallenges => {
    const { challenges } = readChallenges(message, challenge);
    listed.add(challenges);
    return { challenges };
  };
  const question = { name: challenge.name, type: rrType.TXT, read };
  return { parent, parentServers, nameservers: await askEachServer(present, question, lookup) };
}

/** Which servers have the zone that the domain is in. */
async function findPresent(
  parentZone: readonly ZoneServer[],
  answers: ClaimSight['parentServers'],
  names: ReadonlyMap<string, DomainName>,
  lookup: ParentLookup,
): Promise<readonly ZoneServer[]> {
  if (names.size > 0)
    return findServers([...names.values()], createAskResolvers(lookup.resolvers, lookup), lookup);
  return answers.some((server) => 'delegatedTo' in server) ? parentZone : [];
}

function readChallenges({ isAuthoritative, answers }: Message, wanted: WantedChallenge): FoundChallenges {
  if (!isAuthoritative) throw new DnsFailure('malformed', 'it is not authoritative for the domain');
  const challenges = answers
    .filter(({ type, owner }) => type === rrType.TXT && equalDomainNames(owner, wanted.name))
    .flatMap(({ rdata }) => textOf(rdata) ?? [])
    .filter((text) => text.startsWith(wanted.prefix) && text.length <= MAX_CHALLENGE_CHARACTERS);
  return { challenges: challenges.slice(0, MAX_CHALLENGES) };
}

/** Undefined if it is malformed. Octets beyond ASCII are in no challenge. */
function textOf(rdata: Uint8Array): string | undefined {
  if (checkRdata(rrType.TXT, rdata) !== undefined) return undefined;
  return Buffer.from(decodeCharacterStrings(rdata)).toString('latin1');
}
