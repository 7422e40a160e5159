import type { Steps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { checkDelegations } from './check-delegations.ts';
import { checkMailPolicy } from './check-mail-policy.ts';
import { checkRecords } from './check-records.ts';
import { checkSets } from './check-sets.ts';
import { checkTargets } from './check-targets.ts';
import { indexZone, type IndexedZone } from './indexed-zone.ts';
import { noFacts, type ZoneFacts } from './zone-facts.ts';
import type { Findings, Severity, ZoneWarning } from '../model/zone-warning.ts';

/** Nobody reads more than that; the most severe come first. */
export const MAX_WARNINGS = 1000;

/** About 0.5 ms; each record is read about five times. */
const READS_PER_STEP = 1000;

/** Checks the records of one owner. */
type Check = (index: IndexedZone, owner: OwnerKey, records: readonly DomainRecord[]) => Findings;

const allChecks = [checkTargets, checkDelegations, checkRecords, checkSets, checkMailPolicy];

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/**
 * Reports likely mistakes in a zone, errors first, then by name. Never queries DNS.
 *
 * @param facts about other domains
 */
export function* checkZone(
  zone: ZoneName,
  all: readonly DomainRecord[],
  facts: ZoneFacts = noFacts,
): Steps<readonly ZoneWarning[]> {
  return yield* runChecks(yield* indexZone(zone, all, facts), allChecks);
}

/** Returns what the checks find, errors first, then by name. */
export function* runChecks(index: IndexedZone, checks: readonly Check[]): Steps<readonly ZoneWarning[]> {
  let found: ZoneWarning[] = [];
  let reads = 0;
  for (const [owner, records] of index.owners) {
    for (const check of checks) {
      for (const finding of check(index, owner, records)) {
        if (finding === undefined) {
          if (++reads % READS_PER_STEP === 0) yield;
          continue;
        }
        // A zone in which every record is wrong must not exhaust memory.
        if (found.push(finding) === 2 * MAX_WARNINGS) found = worstOf(found);
      }
    }
  }
  return found.length > 1 ? worstOf(found) : found;
}

function worstOf(found: ZoneWarning[]): ZoneWarning[] {
  return found
    .sort((a, b) => rank[a.severity] - rank[b.severity] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .slice(0, MAX_WARNINGS);
}
