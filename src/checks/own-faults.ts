import type { Steps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { WarningCode, ZoneWarning } from '../model/zone-warning.ts';
import { checkMailPolicy } from './check-mail-policy.ts';
import { checkRecords, privateNetwork } from './check-records.ts';
import { checkSets, MIN_TTL_SECONDS } from './check-sets.ts';
import { checkTargets } from './check-targets.ts';
import { runChecks } from './check-zone.ts';
import { indexZone } from './indexed-zone.ts';
import { noFacts } from './zone-facts.ts';

/** The checks with own faults among their findings. */
const checks = [checkTargets, checkRecords, checkSets, checkMailPolicy];

/** Finds what records show by themselves. */
export function* findOwnFaults(
  zone: ZoneName,
  records: readonly DomainRecord[],
): Steps<readonly ZoneWarning[]> {
  const suspects = records.filter((record) => mayHaveFault(zone, record));
  if (suspects.length === 0) return [];
  const found = yield* runChecks(yield* indexZone(zone, suspects, noFacts), checks);
  return found.length === 0 ? found : found.filter(({ code }) => ownFaults.has(code));
}

/**
 * Whether the checks could find anything. Most records are addresses and texts for which a look at their values shows that
 * they could not, in less than half a microsecond: no index is built for them.
 */
function mayHaveFault(zone: ZoneName, record: DomainRecord): boolean {
  const { type, owner, ttl, data } = record;
  if (ttl < MIN_TTL_SECONDS || owner.endsWith(zone) || owner.includes('_')) return true;
  if (type === rrType.A || type === rrType.AAAA) return privateNetwork(record) !== undefined;
  return type !== rrType.TXT || !(PLAIN_TEXT.test(data) || PLAIN_POLICY.test(data));
}

/** One string without escapes that is no SPF policy. */
const PLAIN_TEXT = /^"(?!v=spf1)[^"\\]*"$/i;
/** An SPF policy of terms that are well-formed whatever they name, and that does not allow all. */
const PLAIN_POLICY = /^"v=spf1(?: (?:a|mx|include:[a-z\d._-]+))* [~?-]all"$/i;

/** Warnings that a record causes by itself, whatever else is in the zone. */
export const ownFaults: ReadonlySet<WarningCode> = new Set([
  'target_is_address',
  'target_without_domain',
  'target_ends_in_zone_twice',
  'target_not_a_host_name',
  'name_ends_in_zone_twice',
  'nameserver_placeholder',
  'ttl_short',
  'private_address',
  'host_name_unusual',
  'digest_length',
  'caa_tag_unknown',
  'spf_malformed',
  'spf_allows_all',
  'spf_type_obsolete',
  'dkim_key_broken',
  'dkim_key_short',
  'mta_sts_without_id',
  'escaped_semicolon',
]);
