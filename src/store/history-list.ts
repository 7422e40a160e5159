// SQL for the history of a domain, the same for both engines. The feed holds an update as a removal followed by an
// addition of the same record; the history shows the two as one entry.
import type { HistoryEntry } from '../writes/history-entry.ts';
import { toHistoryEntry } from '../writes/history.ts';
import { isCustomersChange } from './customers-rows.ts';
import {
  historyColumns,
  RECORD_COLUMNS,
  toHistoryChange,
  toRecord,
  type HistoryRow,
  type RecordRow,
} from './table-rows.ts';

const CHANGE_COLUMNS = historyColumns.split(',').length;

const isSameRecord = (other: string): string =>
  `${other}.domain_id = entry.domain_id AND ${other}.record_id = entry.record_id`;

/** The entry's own value, or the one that it shares with other entries of its write. */
function orShared(column: 'address' | 'note'): string {
  return `coalesce(entry.${column}, (
    SELECT CASE WHEN author.first_seq <= entry.seq THEN author.${column} END FROM change_authors AS author
    WHERE author.last_seq >= entry.seq ORDER BY author.last_seq LIMIT 1))`;
}

/** Columns of an entry, followed by those of the record before an update. */
export const entryColumns = [
  historyColumns
    .replaceAll(/(\w+)/g, 'entry.$1')
    .replace('entry.address', orShared('address'))
    .replace('entry.note', orShared('note')),
  RECORD_COLUMNS.replaceAll(/(\w+)/g, 'former.$1').replace('former.id', 'former.record_id'),
].join(', ');

export const entryTable = (index: string): string => `changes AS entry ${index}
  LEFT JOIN changes AS former ON former.seq = entry.seq - 1 AND former.kind = 'recordDelete'
    AND entry.kind = 'recordPut' AND ${isSameRecord('former')}`;

/**
 * Excludes changes of signatures, and the removal that belongs to an update. With EXISTS, PostgreSQL would read the feed of all domains into a hash table
 * for a domain with some hundred entries.
 */
export const entryCondition = `${isCustomersChange('entry.')} AND NOT (
  entry.kind = 'recordDelete' AND coalesce((
    SELECT next.kind = 'recordPut' AND ${isSameRecord('next')} FROM changes AS next
    WHERE next.seq = entry.seq + 1), false))`;

export type EntryRow = [
  ...change: HistoryRow,
  ...former: RecordRow | [null, null, null, null, null, null, null, null],
];

export function toEntry(row: EntryRow): HistoryEntry {
  const change = toHistoryChange(row.slice(0, CHANGE_COLUMNS) as unknown as HistoryRow);
  const former = row.slice(CHANGE_COLUMNS);
  return toHistoryEntry(change, former[0] === null ? null : toRecord(former as unknown as RecordRow));
}
