// Keys of scanned lists: they identify and order the rows, in SQL and as values. Never reads the database.
import { FIRST_GENERATED_ID } from '../../model/generated-row.ts';
import { AFTER_ALL_KEYS } from '../table-rows.ts';
import type { SqlValue } from './sqlite-driver.ts';

export type KeyValues = readonly SqlValue[];

export interface ScanKey {
  readonly columns: readonly string[];
  /** Sort order that an index provides. */
  readonly order: readonly string[];
  /** Conditions with a placeholder for each column: rows from a key on (inclusive), and rows before a key. */
  readonly from: (marks: readonly string[]) => string;
  readonly until: (marks: readonly string[]) => string;
  readonly lowest: KeyValues;
  readonly highest: KeyValues;
  /** Parses the key of a page. */
  readonly parse: (text: string) => KeyValues;
  /** Returns the lowest key after a given one. */
  readonly next: (key: KeyValues) => KeyValues;
  /** The list begins with the highest key. */
  readonly isFalling: boolean;
}

/** A text with this character appended is the next one in byte order. */
const LEAST = '\u{1}';

/** Key of one text column, the lowest first. @param end no row from it on is scanned */
export function textKey(column: string, end = AFTER_ALL_KEYS): ScanKey {
  return {
    columns: [column],
    order: [column],
    from: ([mark]) => `${column} >= ${mark}`,
    until: ([mark]) => `${column} < ${mark}`,
    lowest: [''],
    highest: [end],
    parse: (text) => [text < end ? text : end],
    next: ([text]) => [`${String(text)}${LEAST}`],
    isFalling: false,
  };
}

/** Key of columns with numbers above 0, the highest first; written with dots between the columns. */
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

/** Key of records of several domains (`domains` joined to `records`): domain name, space, record id. */
export const foundRecordKey: ScanKey = {
  columns: ['domains.name', 'records.id'],
  // Domain names are unique, but only with the id the planner sees that no sorting is needed.
  order: ['domains.name', 'domains.id', 'records.id'],
  from: ([name, id]) =>
    `domains.name >= ${name} AND records.id >= CASE domains.name WHEN ${name} THEN ${id} ELSE '' END`,
  until: ([name, id]) =>
    `domains.name <= ${name} AND records.id < CASE domains.name WHEN ${name} THEN ${id} ELSE '${FIRST_GENERATED_ID}' END`,
  lowest: ['', ''],
  highest: [AFTER_ALL_KEYS, ''],
  parse: (text) => {
    const [name = '', id = ''] = text.split(' ');
    return [name, id < FIRST_GENERATED_ID ? id : FIRST_GENERATED_ID];
  },
  next: ([name = '', id]) => [name, `${String(id)}${LEAST}`],
  isFalling: false,
};
