import type { ZoneName } from '../domain.ts';
import type { DomainRecord } from '../record.ts';
import { checkDelegations } from './check-delegations.ts';
import { checkMailPolicy } from './check-mail-policy.ts';
import { checkRecords } from './check-records.ts';
import { checkTargets } from './check-targets.ts';
import { indexZone } from './indexed-zone.ts';
import type { Severity, ZoneWarning } from './zone-warning.ts';

/** More of them nobody reads; the worst come first. */
export const MAX_WARNINGS = 1000;

/** Found in all, before they are sorted: a zone where every record is wrong must not fill the memory. */
const MAX_FOUND = 100_000;

const checks = [checkTargets, checkDelegations, checkRecords, checkMailPolicy];

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/** What is most likely not meant in a zone, errors first, else by name. Never asks what stands elsewhere in DNS. */
export function checkZone(zone: ZoneName, records: readonly DomainRecord[]): readonly ZoneWarning[] {
  const index = indexZone(zone, records);
  const found: ZoneWarning[] = [];
  for (const check of checks) {
    for (const warning of check(index)) {
      found.push(warning);
      if (found.length >= MAX_FOUND) break;
    }
  }
  return found
    .sort((a, b) => rank[a.severity] - rank[b.severity] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .slice(0, MAX_WARNINGS);
}
