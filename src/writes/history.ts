// The feed as the history of a domain: who changed what, and the values before the change.
import type { SoaSettings, RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Change } from './change.ts';

/** A change with the members that only the history needs, not followers. */
export interface HistoryChange extends Change {
  /** The client's network address. */
  readonly address: string | null;
  /** The client's note. */
  readonly note: string | null;
  /** The former SOA fields; present with a domainPut that changed them. */
  readonly soaBefore: SoaSettings | null;
}

/** A change as a batch writes it. */
export interface FeedEntry extends HistoryChange {
  readonly accountId: string;
  /** Its share of the account's `historyOctets`. */
  readonly octets: number;
}

/** Folds changes, in feed order, into one change for each record and one for the SOA fields. */
export function foldChanges(
  changes: readonly Pick<HistoryChange, 'kind' | 'record' | 'head' | 'soaBefore'>[],
): Omit<RecordsChanged, 'unchanged'> {
  const records = new Map<string, { before: DomainRecord | null; after: DomainRecord | null }>();
  let soa: RecordsChanged['soa'];
  for (const { kind, record, head, soaBefore } of changes) {
    if (head !== null && soaBefore !== null) {
      const after = { soaPrimary: head.soaPrimary, soaEmail: head.soaEmail };
      soa = { before: soa?.before ?? soaBefore, after };
    }
    if (record === null) continue;
    const isPut = kind === 'recordPut';
    const known = records.get(record.id);
    records.set(record.id, {
      before: known === undefined ? (isPut ? null : record) : known.before,
      after: isPut ? record : null,
    });
  }
  const created: DomainRecord[] = [];
  const updated: { before: DomainRecord; after: DomainRecord }[] = [];
  const deleted: DomainRecord[] = [];
  for (const { before, after } of records.values()) {
    if (before === null && after !== null) created.push(after);
    else if (before !== null && after === null) deleted.push(before);
    else if (before !== null && after !== null) updated.push({ before, after });
  }
  return { created, updated, deleted, ...(soa && isSoaChange(soa) && { soa }) };
}

/** False for a domain that was put again because it is signed from then on. */
function isSoaChange({ before, after }: NonNullable<RecordsChanged['soa']>): boolean {
  return before.soaPrimary !== after.soaPrimary || before.soaEmail !== after.soaEmail;
}

/** @param before the old record of an update: the record that the previous feed entry removed */
export function toHistoryEntry(change: HistoryChange, before: DomainRecord | null): HistoryEntry {
  const { seq, serial, atMs, keyId, address, note, kind, record, head, soaBefore } = change;
  const about = { seq, serial, atMs, keyId, address, note, old: null, new: null, soa: null };
  switch (kind) {
    case 'recordPut':
      return { ...about, action: before === null ? 'create' : 'update', old: before, new: record };
    case 'recordDelete':
      return { ...about, action: 'delete', old: record };
    case 'domainDelete':
    case 'domainRestore':
    case 'domainWithhold':
    case 'domainRelease':
      return { ...about, action: kind };
    case 'domainPut': {
      if (soaBefore === null || head === null) return { ...about, action: 'domainCreate' };
      const after = { soaPrimary: head.soaPrimary, soaEmail: head.soaEmail };
      return { ...about, action: 'domainUpdate', soa: { before: soaBefore, after } };
    }
  }
}
