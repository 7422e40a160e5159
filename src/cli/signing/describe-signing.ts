import { listNames } from '../names/list-names.ts';
import { formatSeconds } from '../terminal/format-seconds.ts';
import { hasSilent, type AskedServers, type ParentView } from './parent-view.ts';

/**
 * Says what a signed zone at the old provider means for the move. The domain is not signed here: while the parent zone has
 * a DS record, validating resolvers reject unsigned answers (RFC 4035 section 5.2).
 *
 * @param parent undefined if the parent was not asked
 * @param keyTtl TTL of the zone's keys in seconds, if it is known
 */
export function describeSignedSource(
  domain: string,
  parent: ParentView | undefined,
  keyTtl: number | undefined,
): string {
  return `the zone is signed there, but not here: ${describeParent(domain, parent, keyTtl)}`;
}

/** Returns undefined if there is nothing to say about a domain of which only the parent is known. */
export function describeParentOnly(domain: string, parent: ParentView | undefined): string | undefined {
  if (parent === undefined) return undefined;
  if (parent.state === 'absent' && parent.remembered === undefined) return undefined;
  const said = describeParent(domain, parent, undefined);
  return parent.state === 'present' ? `the domain is not signed here, but ${said}` : said;
}

function describeParent(domain: string, parent: ParentView | undefined, keyTtl: number | undefined): string {
  switch (parent?.state) {
    case 'present':
      return describePresent(parent, keyTtl);
    case 'absent':
      return describeAbsent(parent);
    case 'unknown':
      return `it is not known whether the parent zone has a DS record for ${domain} (${parent.reason}); if it has, ${REMOVE}`;
    case undefined:
      return `if the parent zone has a DS record for ${domain}, ${REMOVE}`;
  }
}

const REMOVE =
  'have it removed at the registrar, and wait until its TTL and that of the keys have passed, before the delegation changes';

function describePresent(
  { records, ttl, servers }: Extract<ParentView, { state: 'present' }>,
  keyTtl: number | undefined,
): string {
  const record = `the DS record ${listNames(records)}`;
  // Keys that were validated while the record was in a cache are trusted for their own TTL (RFC 4035 section 5.3.3).
  const forKeys = keyTtl === undefined ? '' : ` (${formatSeconds(keyTtl)})`;
  // A resolver shows the rest of the TTL.
  const time =
    servers === undefined ? `which this resolver forgets in ${formatSeconds(ttl)}` : formatSeconds(ttl);
  const wait =
    `have it removed at the registrar, wait until no nameserver of the parent zone has it, then wait for its whole TTL ` +
    `(${time}) and after that for the TTL of the zone's keys${forKeys}, and only then change the delegation`;
  if (servers === undefined) return `a resolver has ${record}: ${wait}${NOT_ASKED}`;
  const { parent, having, lacking } = servers;
  const who =
    lacking.length === 0
      ? `the parent zone ${parent} has`
      : `${having.length} of the ${having.length + lacking.length} nameservers of the parent zone ${parent} have`;
  return `${who} ${record}: ${wait}${describeSilent(servers)}`;
}

const NOT_ASKED = ' (no nameserver of the parent zone could be asked)';

function describeAbsent(parent: Extract<ParentView, { state: 'absent' }>): string {
  const { remembered, servers } = parent;
  const where = servers === undefined ? 'parent zone' : `parent zone ${servers.parent}`;
  const silent = servers === undefined ? NOT_ASKED : describeSilent(servers);
  if (remembered !== undefined) {
    return (
      `the ${where} has no DS record any more, but resolvers still expect signatures: wait until the TTLs of the record and ` +
      `of the zone's keys have passed (for the resolver that was asked, at least another ${formatSeconds(remembered)}), and only ` +
      `then change the delegation${silent}`
    );
  }
  if (hasSilent(parent)) {
    return `the nameservers of the ${where} that answered have no DS record: ask again until all of them say so${silent}`;
  }
  return `the ${where} has no DS record, so the delegation can change; if one was removed in the last days, wait until its TTL and that of the zone's keys have passed${silent}`;
}

function describeSilent({ silent }: AskedServers): string {
  return silent.length === 0 ? '' : ` (not known from ${listNames(silent)})`;
}
