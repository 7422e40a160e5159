// The feed as the history of a domain: who changed what, with what it was before. Reads nothing itself.
import type { SoaSettings, RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Change } from './change.ts';

/** A change with what followers of the feed have no use for. */
export interface HistoryChange extends Change {
  /** The client's network address. */
  readonly address: string | null;
  /** The client's words for it. */
  readonly note: string | null;
  /** With a domainPut that changed SOA fields: as they were. */
  readonly soaBefore: SoaSettings | null;
}

/** What changes, in feed order, come to for each record and for the SOA fields. */
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
  return { created, updated, deleted, ...(soa && { soa }) };
}

/**
 * @param before the entry of the feed right before, where that removed the record that this one puts
 */
export function toHistoryEntry(change: HistoryChange, before: DomainRecord | null): HistoryEntry {
  const { seq, serial, atMs, keyId, address, note, kind, record, head, soaBefore } = change;
  const about = { seq, serial, atMs, keyId, address, note, old: null, new: null, soa: null };
  switch (kind) {
    case 'recordPut':
      return { ...about, action: before === null ? 'create' : 'update', old: before, new: record };
    case 'recordDelete':
      return { ...about, action: 'delete', old: record };
    case 'domainDelete':
      return { ...about, action: 'domainDelete' };
    case 'domainPut': {
      if (soaBefore === null || head === null) return { ...about, action: 'domainCreate' };
      const after = { soaPrimary: head.soaPrimary, soaEmail: head.soaEmail };
      return { ...about, action: 'domainUpdate', soa: { before: soaBefore, after } };
    }
  }
}
