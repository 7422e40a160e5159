import { sortInSteps, visitInSteps, type Steps } from '../base/steps.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';

/** The members of a feed entry that rewinding needs. */
export interface PastChange {
  readonly kind: 'domainPut' | 'domainDelete' | 'recordPut' | 'recordDelete';
  readonly serial: number;
  /** The new row of a recordPut, the old row of a recordDelete. */
  readonly record: DomainRecord | null;
  /** The former SOA fields; present with a domainPut that changed them. */
  readonly soaBefore: SoaSettings | null;
}

/** The most changes that are rewound at once: those of two imports of the largest size, and some more. */
export const MAX_REWOUND_CHANGES = 1_000_000;

/** The kept changes of a domain after a serial. */
export interface LaterChanges {
  /** Oldest first; at most `MAX_REWOUND_CHANGES` + 1. */
  readonly changes: readonly PastChange[];
  /** False if the history no longer contains that serial, or the domain never had it. */
  readonly reachesBack: boolean;
  /** The changes have more than `MAX_ZONE_OCTETS` octets, and were not read. */
  readonly isTooLong?: true;
}

/** The whole content of a domain at one moment. */
export interface ZoneContent {
  /** In creation order. */
  readonly records: readonly DomainRecord[];
  readonly soa: SoaSettings;
}

/**
 * Undoes changes, to give the content before them.
 *
 * @param later all changes since then, oldest first
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
