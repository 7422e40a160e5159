// The rows of the grid: records and what is staged of them, in order, filtered. Prepared once, so that each key in the filter only
// looks through texts.
import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import type { Draft } from './draft.ts';
import { valueOf, type RecordValue } from './record-value.ts';

export interface Row {
  /** The id of the record, or the key of a new one. */
  readonly key: string;
  /** Undefined: it is staged to be created. */
  readonly record: RecordJson | undefined;
  readonly value: RecordValue;
  /** Name and data in lower case. */
  readonly haystack: string;
  /** Labels from the right. */
  readonly order: string;
}

export function rowOf(key: string, record: RecordJson | undefined, value: RecordValue): Row {
  const haystack = `${value.name === '' ? '@' : value.name} ${value.data}`.toLowerCase();
  return { key, record, value, haystack, order: orderOf(value.name) };
}

export function rowsOf(records: readonly RecordJson[]): Row[] {
  return records.map((record) => rowOf(record.id, record, valueOf(record)));
}

function orderOf(name: string): string {
  return name === '' ? '' : name.toLowerCase().split('.').reverse().join('\u0001');
}

export type Column = 'name' | 'type' | 'data' | 'ttl';

export interface Sorting {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** The apex first, then labels from the right; equal names by type and data. */
export const usualSorting: Sorting = { column: 'name', isDescending: false };

/** @param sort of the address: `ttl`, or `-ttl` for the highest first */
export function readSorting(sort: string | null): Sorting {
  const column = (sort ?? '').replace(/^-/, '');
  if (column !== 'name' && column !== 'type' && column !== 'data' && column !== 'ttl') return usualSorting;
  return { column, isDescending: sort?.startsWith('-') === true };
}

export function sortRows(rows: readonly Row[], { column, isDescending }: Sorting): Row[] {
  const sign = isDescending ? -1 : 1;
  const first: (one: Row, other: Row) => number =
    column === 'ttl'
      ? (one, other) => one.value.ttl - other.value.ttl
      : column === 'name'
        ? (one, other) => compare(one.order, other.order)
        : (one, other) => compare(one.value[column], other.value[column]);
  return rows.toSorted(
    (one, other) =>
      sign * first(one, other) ||
      compare(one.order, other.order) ||
      compare(one.value.type, other.value.type) ||
      compare(one.value.data, other.value.data),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export interface RowFilter {
  readonly search: string;
  /** Empty: any. */
  readonly type: string;
  /** A part of the name; empty: any. */
  readonly name?: string;
  /** A part of the data; empty: any. */
  readonly data?: string;
}

/** Records that are staged to be created are always shown. */
export function filterRows(
  rows: readonly Row[],
  { search, type, name = '', data = '' }: RowFilter,
): readonly Row[] {
  const wanted = search.trim().toLowerCase();
  const [wantedName, wantedData] = [name.toLowerCase(), data.toLowerCase()];
  if (wanted === '' && type === '' && wantedName === '' && wantedData === '') return rows;
  return rows.filter(
    ({ record, value, haystack }) =>
      record === undefined ||
      (haystack.includes(wanted) &&
        (type === '' || value.type === type) &&
        (wantedName === '' || (value.name === '' ? '@' : value.name.toLowerCase()).includes(wantedName)) &&
        (wantedData === '' || value.data.toLowerCase().includes(wantedData))),
  );
}

export function addedRows({ created }: Draft): Row[] {
  return Object.entries(created).map(([key, value]) => rowOf(key, undefined, value));
}
