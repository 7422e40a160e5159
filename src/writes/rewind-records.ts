import { sortInSteps, visitInSteps, type Steps } from '../base/steps.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ChangeKind } from './change.ts';
import type { HistoryChange } from './history.ts';

/** The members of a feed entry that rewinding needs: not the rows that it takes away. */
export interface PastChange {
  readonly kind: ChangeKind;
  readonly serial: number;
  /** The id of the record that was put or deleted. */
  readonly recordId: string | null;
  /** The old row of a recordDelete. */
  readonly before: DomainRecord | null;
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
  yield* visitInSteps(later.toReversed(), ({ recordId, before, soaBefore }) => {
    if (soaBefore !== null) soaThen = soaBefore;
    if (before !== null) byId.set(before.id, before);
    else if (recordId !== null) byId.delete(recordId);
  });
  return { records: yield* sortInSteps(Array.from(byId.values()), byCreation), soa: soaThen };
}

/** A change of the feed as rewinding needs it. */
export function toPastChange({
  kind,
  serial,
  record,
  soaBefore,
}: Pick<HistoryChange, 'kind' | 'serial' | 'record' | 'soaBefore'>): PastChange {
  const before = kind === 'recordDelete' ? record : null;
  return { kind, serial, recordId: record?.id ?? null, before, soaBefore };
}

/** Ids are UUIDv7. */
function byCreation(a: DomainRecord, b: DomainRecord): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
