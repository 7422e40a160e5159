// What tells the rows of a scanned list apart and puts them in order, in SQL and as values. Never reads anything.
import { AFTER_ALL_KEYS } from '../table-rows.ts';
import type { SqlValue } from './sqlite-driver.ts';

export type KeyValues = readonly SqlValue[];

export interface ScanKey {
  readonly columns: readonly string[];
  /** In this order, an index finds the rows. */
  readonly order: readonly string[];
  /** Conditions with a parameter's mark for each column: rows from a key on, that one included, and rows before a key. */
  readonly from: (marks: readonly string[]) => string;
  readonly until: (marks: readonly string[]) => string;
  readonly lowest: KeyValues;
  readonly highest: KeyValues;
  /** As a page's key is written. */
  readonly parse: (text: string) => KeyValues;
  /** The lowest that comes after a key. */
  readonly next: (key: KeyValues) => KeyValues;
  /** The list begins with the highest. */
  readonly isFalling: boolean;
}

/** What a text is followed by when nothing may come between. */
const LEAST = '\u{1}';

/** Names or ids, the lowest first. */
export function textKey(column: string): ScanKey {
  return {
    columns: [column],
    order: [column],
    from: ([mark]) => `${column} >= ${mark}`,
    until: ([mark]) => `${column} < ${mark}`,
    lowest: [''],
    highest: [AFTER_ALL_KEYS],
    parse: (text) => [text],
    next: ([text]) => [`${String(text)}${LEAST}`],
    isFalling: false,
  };
}

/** Numbers above 0, the highest first; of several columns with points between. */
export function fallingKey(...columns: readonly string[]): ScanKey {
  const row = (values: readonly string[]) => `(${values.join(', ')})`;
  return {
    columns,
    order: columns,
    from: (marks) => `${row(columns)} >= ${row(marks)}`,
    until: (marks) => `${row(columns)} < ${row(marks)}`,
    lowest: columns.map(() => 0),
    highest: columns.map(() => Number.MAX_SAFE_INTEGER),
    parse: (text) => text.split('.').map(Number),
    next: (key) => [...key.slice(0, -1), Number(key.at(-1)) + 1],
    isFalling: true,
  };
}

/** Records of many domains, with `domains` joined to `records`: by the domain's name, then by id. A space is between them. */
export const foundRecordKey: ScanKey = {
  columns: ['domains.name', 'records.id'],
  // Names are unique, but only the id lets the planner see that no sorting is needed.
  order: ['domains.name', 'domains.id', 'records.id'],
  from: ([name, id]) =>
    `domains.name >= ${name} AND records.id >= CASE domains.name WHEN ${name} THEN ${id} ELSE '' END`,
  until: ([name, id]) =>
    `domains.name <= ${name} AND records.id < CASE domains.name WHEN ${name} THEN ${id} ELSE '${AFTER_ALL_KEYS}' END`,
  lowest: ['', ''],
  highest: [AFTER_ALL_KEYS, ''],
  parse: (text) => {
    const [name = '', id = ''] = text.split(' ');
    return [name, id];
  },
  next: ([name = '', id]) => [name, `${String(id)}${LEAST}`],
  isFalling: false,
};
