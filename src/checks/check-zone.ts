import type { Steps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { checkDelegations } from './check-delegations.ts';
import { checkMailPolicy } from './check-mail-policy.ts';
import { checkRecords } from './check-records.ts';
import { checkTargets } from './check-targets.ts';
import { indexZone } from './indexed-zone.ts';
import type { Severity, ZoneWarning } from '../model/zone-warning.ts';

/** More of them nobody reads; the worst come first. */
export const MAX_WARNINGS = 1000;

/** At records, of which each is looked at some four times: some 2 ms. */
const LOOKS_A_STEP = 4000;

const checks = [checkTargets, checkDelegations, checkRecords, checkMailPolicy];

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/** What is most likely not meant in a zone, errors first, else by name. Never asks what stands elsewhere in DNS. */
export function* checkZone(zone: ZoneName, records: readonly DomainRecord[]): Steps<readonly ZoneWarning[]> {
  const index = yield* indexZone(zone, records);
  let found: ZoneWarning[] = [];
  let looks = 0;
  for (const [owner, standing] of index.owners) {
    for (const check of checks) {
      for (const finding of check(index, owner, standing)) {
        if (finding === undefined) {
          if (++looks % LOOKS_A_STEP === 0) yield;
          continue;
        }
        // A zone where every record is wrong must not fill the memory.
        if (found.push(finding) === 2 * MAX_WARNINGS) found = worstOf(found);
      }
    }
  }
  return worstOf(found);
}

function worstOf(found: ZoneWarning[]): ZoneWarning[] {
  return found
    .sort((a, b) => rank[a.severity] - rank[b.severity] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .slice(0, MAX_WARNINGS);
}
