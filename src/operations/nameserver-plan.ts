// Decides which NS records a domain has after its former nameservers have been replaced (contract rule 60).
import type { ZoneName } from '../model/domain.ts';
import { parseHostName } from '../model/host-name.ts';
import { refused, success, type Result } from '../model/result.ts';
import { UNSET_NAMESERVER } from '../model/unset-nameserver.ts';
import type { ListedRecord } from '../store/store.ts';
import { parsePathDomain } from './path-domain.ts';

/** A replacement of nameservers as it was sent. Absent members have the defaults of `NameserverPlan`. */
export interface SentNameservers {
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly domains?: readonly string[];
}

export interface NameserverPlan {
  /** Every name is a former one. */
  readonly replacesAll: boolean;
  /** The names that are replaced, besides the placeholder. */
  readonly former: ReadonlySet<string>;
  /** The names that replace them; by default those of the account. */
  readonly to: readonly string[];
  /** Sorted; undefined: all domains of the account. */
  readonly domains: readonly ZoneName[] | undefined;
}

/** As many as fit into a referral with their addresses (RFC 9471). */
const MAX_NEW_NAMES = 13;

/** More former names than any service had. */
const MAX_FORMER_NAMES = 100;

/** The most domains of one request: some hundred writes that are each on disk, a second at most. */
export const MAX_NAMED_DOMAINS = 100;

const ANY_NAME = '*';

/** @param configured the nameservers of the account */
export function planNameservers(
  { from = [], to, domains }: SentNameservers,
  configured: readonly string[],
): Result<NameserverPlan> {
  const former = parseEach(
    'from',
    from.filter((name) => name.trim() !== ANY_NAME),
    MAX_FORMER_NAMES,
  );
  if (!former.ok) return former;
  const wanted = to === undefined ? success(configured) : parseEach('to', to, MAX_NEW_NAMES);
  if (!wanted.ok) return wanted;
  if (wanted.value.length === 0) return refused('invalid_request', 'to must name a nameserver', 'to');
  if (to === undefined && configured.includes(UNSET_NAMESERVER))
    return refused(
      'invalid_request',
      'This service has no nameservers of its own: name those that replace the former ones (to)',
      'to',
    );
  const named = parseDomains(domains);
  if (!named.ok) return named;
  return success({
    replacesAll: from.some((name) => name.trim() === ANY_NAME),
    former: new Set([UNSET_NAMESERVER, ...former.value]),
    to: wanted.value,
    domains: named.value,
  });
}

function parseEach(member: string, names: readonly string[], most: number): Result<readonly string[]> {
  if (names.length > most)
    return refused(
      'invalid_request',
      `${member} can have at most ${most} names; this one has ${names.length}`,
      member,
    );
  const parsed = new Set<string>();
  for (const text of names) {
    const name = parseHostName(text);
    if (!name.ok) return refused('invalid_request', `${member}: ${name.problem}`, member);
    parsed.add(name.value);
  }
  return success([...parsed]);
}

function parseDomains(domains: readonly string[] | undefined): Result<readonly ZoneName[] | undefined> {
  if (domains === undefined) return success(undefined);
  if (domains.length > MAX_NAMED_DOMAINS) {
    const sentence = `domains can have at most ${MAX_NAMED_DOMAINS} names; this one has ${domains.length}`;
    return refused('invalid_request', sentence, 'domains');
  }
  const names = new Set<ZoneName>();
  for (const text of domains) {
    const name = parsePathDomain(text);
    if (!name.ok) return name;
    names.add(name.value);
  }
  return success([...names].sort());
}

/** The changes of one domain. */
export interface NameserverChanges {
  readonly deletes: readonly ListedRecord[];
  /** Host names. */
  readonly creates: readonly string[];
  /** The new primary nameserver of the SOA; undefined: it stays. */
  readonly soaPrimary: string | undefined;
}

/**
 * @param rows the apex NS records, with host names as data
 * @param soaPrimary the domain's own; null for the service's default
 */
export function findNameserverChanges(
  plan: NameserverPlan,
  rows: readonly ListedRecord[],
  soaPrimary: string | null,
): NameserverChanges {
  const { former, to, replacesAll } = plan;
  const isReplaced = (host: string): boolean => (replacesAll || former.has(host)) && !to.includes(host);
  const deletes = rows.filter(({ data }) => isReplaced(data));
  const hosts = new Set(rows.map(({ data }) => data));
  const isConcerned = deletes.length > 0 || replacesAll;
  // A primary that is no nameserver of the domain, a hidden one, stays unless it is named.
  const isFormerPrimary =
    soaPrimary !== null &&
    !to.includes(soaPrimary) &&
    (former.has(soaPrimary) || deletes.some(({ data }) => data === soaPrimary));
  return {
    deletes,
    creates: isConcerned ? to.filter((host) => !hosts.has(host)) : [],
    soaPrimary: isFormerPrimary ? to[0] : undefined,
  };
}
