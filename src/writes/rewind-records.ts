import { sortInSteps, visitInSteps, type Steps } from '../base/steps.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';

/** An entry of the feed, as far as going back needs it. */
export interface PastChange {
  readonly kind: 'domainPut' | 'domainDelete' | 'recordPut' | 'recordDelete';
  readonly serial: number;
  /** With recordPut as it then was, with recordDelete as it was before. */
  readonly record: DomainRecord | null;
  /** Of a domainPut that changed SOA fields: as they were before. */
  readonly soaBefore: SoaSettings | null;
}

/** Changes that can be gone back over at once: what two imports of the largest size make, and some more. */
export const MAX_REWOUND_CHANGES = 1_000_000;

/** What the history keeps of a domain after a serial. */
export interface LaterChanges {
  /** Oldest first; `MAX_REWOUND_CHANGES` and one where there are more. */
  readonly changes: readonly PastChange[];
  /** False: what led to that serial, or from it, is kept no more, or the domain never had it. */
  readonly reachesBack: boolean;
}

/** A domain's whole content at one moment. */
export interface ZoneContent {
  /** In creation order. */
  readonly records: readonly DomainRecord[];
  readonly soa: SoaSettings;
}

/**
 * Content as it was before the changes that led to it.
 *
 * @param later oldest first, whole
 */
export function* rewindRecords(
  { records, soa }: ZoneContent,
  later: readonly PastChange[],
): Steps<ZoneContent> {
  const byId = new Map<string, DomainRecord>();
  yield* visitInSteps(records, (record) => byId.set(record.id, record));
  let soaThen = soa;
  yield* visitInSteps(later.toReversed(), ({ kind, record, soaBefore }) => {
    if (kind === 'domainPut') soaThen = soaBefore ?? soaThen;
    else if (record === null) return;
    else if (kind === 'recordPut') byId.delete(record.id);
    else byId.set(record.id, record);
  });
  return { records: yield* sortInSteps(Array.from(byId.values()), byCreation), soa: soaThen };
}

/** Ids are UUIDv7. */
function byCreation(a: DomainRecord, b: DomainRecord): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
