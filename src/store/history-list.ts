// The list of a domain's changes in SQL that both engines take: an update, which the feed holds as a removal and the
// placing of the same record right after it, is one entry.
import type { HistoryEntry } from '../writes/history-entry.ts';
import { toHistoryEntry } from '../writes/history.ts';
import {
  historyColumns,
  recordColumns,
  toHistoryChange,
  toRecord,
  type HistoryRow,
  type RecordRow,
} from './table-rows.ts';

const CHANGE_COLUMNS = historyColumns.split(',').length;

const isSameRecord = (other: string): string =>
  `${other}.domain_id = entry.domain_id AND ${other}.record_id = entry.record_id`;

/** An entry's columns, and those of the record as it was before. */
export const entryColumns = [
  historyColumns.replaceAll(/(\w+)/g, 'entry.$1'),
  recordColumns.replaceAll(/(\w+)/g, 'former.$1').replace('former.id', 'former.record_id'),
].join(', ');

export const entryTable = (index: string): string => `changes AS entry ${index}
  LEFT JOIN changes AS former ON former.seq = entry.seq - 1 AND former.kind = 'recordDelete'
    AND entry.kind = 'recordPut' AND ${isSameRecord('former')}`;

/** Of the changes of a domain, what is an entry. */
export const entryCondition = `NOT (
  entry.kind = 'recordDelete' AND EXISTS (
    SELECT 1 FROM changes AS next
    WHERE next.seq = entry.seq + 1 AND next.kind = 'recordPut' AND ${isSameRecord('next')}))`;

export type EntryRow = [
  ...change: HistoryRow,
  ...former: RecordRow | [null, null, null, null, null, null, null, null],
];

export function toEntry(row: EntryRow): HistoryEntry {
  const change = toHistoryChange(row.slice(0, CHANGE_COLUMNS) as unknown as HistoryRow);
  const former = row.slice(CHANGE_COLUMNS);
  return toHistoryEntry(change, former[0] === null ? null : toRecord(former as unknown as RecordRow));
}
