/**
 * Finds the nameservers of a zone and their addresses, through a resolver:
 *
 *     NS ─▶ A and AAAA of each name ─▶ addresses that may be asked
 *
 * The nameservers are those that the zone itself lists, which resolvers prefer (RFC 2181 section 5.4.1).
 */
import { runConcurrently } from '../base/run-concurrently.ts';
import { rrType } from '../dns/codes.ts';
import { formatIpv4, formatIpv6 } from '../dns/ip-address.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { domainNameAt, equalDomainNames, type DomainName } from '../dns/name.ts';
import { showName } from '../dns/show-name.ts';
import type { Ask } from './ask-resolvers.ts';
import { QUESTIONS_AT_ONCE } from './dns-client.ts';
import { DnsFailure, type DnsFailureKind } from './dns-failure.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { isPublicAddress } from './public-address.ts';
import type { ServerAddress } from './server-address.ts';

/** One address of a nameserver, or the reason why the nameserver, or some of its addresses, cannot be asked. */
export type ZoneServer = { readonly name: string } & (
  { readonly address: ServerAddress } | { readonly address?: undefined; readonly problem: ServerProblem }
);

export interface ServerProblem {
  readonly kind: DnsFailureKind | 'no_address' | 'too_many';
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The root and the large registries have 13; a referral with more names would not fit into a small answer. */
const MAX_NAMESERVERS = 16;

/** Nameservers that are shown although they are not asked; one is enough to say that not all were. */
const MAX_UNASKED = 16;

/** Usually one of each family, rarely two. With all of them, a look-up asks 64 servers. */
const MAX_ADDRESSES_PER_NAMESERVER = 4;

/** The most servers that are asked the same. */
export const MAX_SERVERS = MAX_NAMESERVERS * MAX_ADDRESSES_PER_NAMESERVER;

/** The most questions to resolvers for the addresses of nameservers. */
export const MAX_ADDRESS_QUESTIONS = 2 * MAX_NAMESERVERS;

/** Each nameserver takes two questions. */
const NAMESERVERS_AT_ONCE = QUESTIONS_AT_ONCE / 2;

/**
 * Returns each address of each nameserver, at least one entry.
 *
 * @param ask asks a resolver
 * @throws DnsFailure if the nameservers are unknown; the reason of an aborted signal
 */
export async function findNameservers(
  zone: DomainName,
  ask: Ask,
  lookup: Pick<ParentLookup, 'privateServers'>,
): Promise<readonly ZoneServer[]> {
  return findServers(await findNames(zone, ask), ask, lookup);
}

/** Returns each address of each of these nameservers, as `findNameservers` does. */
export async function findServers(
  names: readonly DomainName[],
  ask: Ask,
  lookup: Pick<ParentLookup, 'privateServers'>,
): Promise<readonly ZoneServer[]> {
  const asked = names.slice(0, MAX_NAMESERVERS);
  const found = await runConcurrently(asked, NAMESERVERS_AT_ONCE, (name) => findAddresses(name, ask, lookup));
  const rest = names.slice(MAX_NAMESERVERS, MAX_NAMESERVERS + MAX_UNASKED).map((name): ZoneServer => {
    const message = `it was not asked, because the zone has more than ${MAX_NAMESERVERS} nameservers`;
    return { name: showName(name), problem: { kind: 'too_many', message } };
  });
  return [...found.flat(), ...rest];
}

/** The names of the nameservers that a zone itself lists, at least one. @throws as `findNameservers` does */
export async function findNames(zone: DomainName, ask: Ask): Promise<readonly DomainName[]> {
  const found = recordsOf(await ask(zone, rrType.NS), zone, rrType.NS);
  const names = new Map<string, DomainName>();
  for (const { rdata } of found) {
    const name = domainNameAt(rdata, 0);
    if (name !== undefined) names.set(showName(name), name);
  }
  if (names.size === 0)
    throw new DnsFailure('malformed', `the nameservers of ${showName(zone)} cannot be found`);
  return [...names.values()];
}

/** The addresses of one host that may be asked; see `findNameservers`. */
export async function findAddresses(
  name: DomainName,
  ask: Ask,
  { privateServers }: Pick<ParentLookup, 'privateServers'>,
): Promise<readonly ZoneServer[]> {
  const shown = showName(name);
  const failed = (kind: ServerProblem['kind'], message: string): ZoneServer => ({
    name: shown,
    problem: { kind, message },
  });
  const [ipv4, ipv6] = await Promise.all([askAddresses(name, 'A', ask), askAddresses(name, 'AAAA', ask)]);
  const servers = [...ipv4.addresses, ...ipv6.addresses].flatMap((address): ServerAddress[] => {
    const allowed = privateServers.find(({ host }) => host === address);
    if (allowed !== undefined) return [allowed];
    return isPublicAddress(address) ? [{ host: address, port: 53 }] : [];
  });
  const asked = servers
    .slice(0, MAX_ADDRESSES_PER_NAMESERVER)
    .map((address): ZoneServer => ({ name: shown, address }));
  if (servers.length > MAX_ADDRESSES_PER_NAMESERVER) {
    const message = `it was not asked at all of its addresses, because it has more than ${MAX_ADDRESSES_PER_NAMESERVER}`;
    return [...asked, failed('too_many', message)];
  }
  const failure = ipv4.failure ?? ipv6.failure;
  if (failure === undefined && servers.length > 0) return asked;
  // An address of the other family may have older records than those that are found.
  if (failure !== undefined) return [...asked, failed(failure.kind, describeUnfound(asked))];
  // One sentence for both: whether an internal name exists, and where, is nobody else's business.
  return [failed('no_address', 'it has no public address')];
}

function describeUnfound(asked: readonly ZoneServer[]): string {
  return asked.length === 0 ? 'its address could not be found' : 'not all of its addresses could be found';
}

interface FoundAddresses {
  readonly addresses: readonly string[];
  readonly failure?: DnsFailure;
}

async function askAddresses(name: DomainName, type: 'A' | 'AAAA', ask: Ask): Promise<FoundAddresses> {
  const [octets, format] = type === 'A' ? ([4, formatIpv4] as const) : ([16, formatIpv6] as const);
  try {
    const records = recordsOf(await ask(name, rrType[type]), name, rrType[type]);
    const addresses = records
      .filter(({ rdata }) => rdata.length === octets)
      .map(({ rdata }) => format(rdata));
    return { addresses: [...new Set(addresses)] };
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return { addresses: [], failure: error };
  }
}

function recordsOf({ answers }: Message, owner: DomainName, wanted: number): readonly MessageRecord[] {
  return answers.filter((record) => record.type === wanted && equalDomainNames(record.owner, owner));
}
