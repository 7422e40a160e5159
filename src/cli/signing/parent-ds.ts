/**
 * Finds the DS records of a domain at its parent zone:
 *
 *     resolver: has it a DS record? ─▶ all nameservers of the parent zone ─▶ resolver: has it validated keys?
 *
 * The second step is left out where it would only confirm that there is nothing. The third is for the time after the DS
 * record: a resolver with keys in its cache expects signatures until their TTL has passed, too.
 */
import { randomUUID } from 'node:crypto';
import type { Parsed } from '../../base/parsed.ts';
import { askDs } from '../../dns-client/ask-ds.ts';
import { createAskResolvers, type Ask } from '../../dns-client/ask-resolvers.ts';
import { DnsFailure } from '../../dns-client/dns-failure.ts';
import type { ParentLookup } from '../../dns-client/parent-lookup.ts';
import { findSystemResolvers, parsePrivateParents, parseResolvers } from '../../dns-client/server-list.ts';
import { rrType } from '../../dns/codes.ts';
import type { Message, MessageRecord } from '../../dns/message.ts';
import { equalDomainNames, isSubdomain, parseDomainName, type DomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getZoneName } from '../names/zone-names.ts';
import { findVariable } from '../terminal/environment.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addKeys, combineViews, type ParentView, type ResolverView } from './parent-view.ts';
import type { ResolverOptions } from './resolver-option.ts';

/**
 * Returns undefined if nobody is to be asked.
 *
 * @param isThorough the nameservers of the parent zone are asked even if a resolver knows of no DS record
 */
export type AskParent = (domain: string, isThorough: boolean) => Promise<ParentView | undefined>;

/** A person waits. A resolver that has the answer nowhere in its cache asks a few servers; a second try finds it there. */
const TIMEOUT_MS = 1000;

const RESOLVERS_VARIABLE = 'ZONEWRIGHT_RESOLVERS';
const PRIVATE_PARENTS_VARIABLE = 'ZONEWRIGHT_PRIVATE_PARENTS';

/**
 * If no resolver answered the first question, none is asked again, so that a command without a network does not wait for
 * each of its domains.
 */
export function createAskParent({ resolver }: ResolverOptions, { environment }: Terminal): AskParent {
  const given = resolver ?? findVariable(environment, RESOLVERS_VARIABLE);
  if (given === 'none') return () => Promise.resolve(undefined);
  const source = resolver === undefined ? RESOLVERS_VARIABLE : '--resolver';
  const internal = findVariable(environment, PRIVATE_PARENTS_VARIABLE);
  const lookup: ParentLookup = {
    resolvers: given === undefined ? findSystemResolvers() : need(parseResolvers(given), source),
    privateServers:
      internal === undefined ? [] : need(parsePrivateParents(internal), PRIVATE_PARENTS_VARIABLE),
    timeoutMs: TIMEOUT_MS,
  };
  const ask = createAskResolvers(lookup.resolvers, { timeoutMs: TIMEOUT_MS });
  const silence: ParentView = { state: 'unknown', reason: 'no resolver answered' };
  let hasNetwork: boolean | undefined;
  return async (domain, isThorough) => {
    if (hasNetwork === false) return silence;
    const zone = getZoneName(domain);
    const view = await askResolver(ask, zone);
    hasNetwork ??= view !== undefined;
    if (view === undefined) return silence;
    return isThorough || view.state !== 'absent' ? askServers(zone, lookup, ask, view) : view;
  };
}

function need<T>(value: Parsed<T>, source: string): T {
  if (value.ok) return value.value;
  throw new CommandFailure(exitCodes.usage, `${source}: ${value.problem}`);
}

/** Returns undefined if no resolver answered at all. */
async function askResolver(ask: Ask, zone: DomainName): Promise<ResolverView | undefined> {
  try {
    return readAnswer(await ask(zone, rrType.DS), zone);
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    const isSilent = error.kind === 'timeout' || error.kind === 'unreachable';
    return isSilent ? undefined : { state: 'unknown', reason: error.message };
  }
}

/** The parent zone itself cannot be asked where only the resolvers are allowed to ask others: their view is left. */
async function askServers(
  zone: DomainName,
  lookup: ParentLookup,
  ask: Ask,
  view: ResolverView,
): Promise<ParentView> {
  const found = await combineWithServers(zone, lookup, view);
  return found.state === 'absent' ? addKeys(found, await findKeyTtl(ask, zone)) : found;
}

async function combineWithServers(
  zone: DomainName,
  lookup: ParentLookup,
  view: ResolverView,
): Promise<ParentView> {
  try {
    return combineViews(view, await askDs(zone, lookup));
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return view;
  }
}

/**
 * Returns the seconds for which the resolver may keep keys of the zone that it has validated. It has such keys if it
 * validates them, or the answer for a name that it has not been asked for before.
 */
async function findKeyTtl(ask: Ask, zone: DomainName): Promise<number> {
  const unasked = parseDomainName(randomUUID(), zone);
  const looks = await Promise.allSettled([
    ask(zone, rrType.DNSKEY),
    ...(unasked.ok ? [ask(unasked.value, rrType.A)] : []),
  ]);
  for (const look of looks) {
    if (look.status === 'rejected' && !(look.reason instanceof DnsFailure)) throw look.reason;
  }
  const answered = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  const keys = answered.flatMap(({ answers }) => answers.filter(({ type }) => type === rrType.DNSKEY));
  const areTrusted = keys.length > 0 && answered.some(({ isAuthenticated }) => isAuthenticated);
  // In its last second a TTL is shown as 0, and keys can be validated once more.
  return areTrusted ? Math.max(1, lowestTtl(keys)) : 0;
}

/**
 * Only the parent knows that there is no DS record. Its negative answer has its own SOA record (RFC 2308 section 2); a
 * nameserver of the zone itself answers with the zone's (RFC 4035 section 3.1.4.1), which says nothing.
 */
function readAnswer({ answers, authorities }: Message, zone: DomainName): ResolverView {
  const found = answers.filter(({ type, owner }) => type === rrType.DS && equalDomainNames(owner, zone));
  if (found.length > 0) {
    return {
      state: 'present',
      records: found.map(({ type, rdata }) => formatRdata(type, rdata)),
      ttl: lowestTtl(found),
    };
  }
  const isFromParent = authorities.some(
    ({ type, owner }) => type === rrType.SOA && owner.length < zone.length && isSubdomain(zone, owner),
  );
  if (isFromParent) return { state: 'absent' };
  return { state: 'unknown', reason: 'the answer of the resolver does not come from the parent zone' };
}

function lowestTtl(records: readonly MessageRecord[]): number {
  return records.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity);
}
