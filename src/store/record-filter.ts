// Which records a list shows, as conditions in SQL. Text is looked for with functions, not patterns: nothing in it has a
// meaning of its own. Never reads anything.
import type { OwnerKey } from '../model/record.ts';
import { storedText } from './stored-data.ts';

/** All that is given must hold. */
export interface RecordFilter {
  readonly type?: number | undefined;
  /** As `parseRecordName` gives it. */
  readonly owner?: OwnerKey | undefined;
  /** Compared with the data as it is shown, letter by letter. */
  readonly data?: { readonly text: string; readonly match: 'exact' | 'prefix' | 'contains' } | undefined;
  /** Somewhere in the name or the data, in upper or lower case (of ASCII). */
  readonly search?: string | undefined;
}

/** How an engine says it; `mark` is the parameter's. */
export interface TextConditions {
  readonly mark: (index: number) => string;
  readonly contains: (column: string, mark: string) => string;
  readonly startsWith: (column: string, mark: string) => string;
}

export interface SqlConditions {
  /** Each to be joined with AND. */
  readonly conditions: readonly string[];
  /** In the order of the parameters. */
  readonly values: readonly (string | number)[];
}

/**
 * @param firstMark the number of the first parameter
 * @param name what is searched as the record's name
 */
export function recordConditions(
  filter: RecordFilter,
  { mark, contains, startsWith }: TextConditions,
  firstMark: number,
  name = 'name',
): SqlConditions {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (value: string | number, condition: (mark: string) => string): void => {
    conditions.push(condition(mark(firstMark + values.length)));
    values.push(value);
  };
  const { type, owner, data, search } = filter;
  if (type !== undefined) add(type, (at) => `type = ${at}`);
  if (owner !== undefined) add(owner, (at) => `owner = ${at}`);
  const text = storedText(data?.text ?? '');
  if (data?.match === 'exact') add(text, (at) => `data = ${at}`);
  if (data?.match === 'prefix') add(text, (at) => startsWith('data', at));
  if (data?.match === 'contains') add(text, (at) => contains('data', at));
  if (search !== undefined) {
    add(
      searchedText(search),
      (at) => `(${contains(`lower(${name})`, at)} OR ${contains('lower(data)', at)})`,
    );
  }
  return { conditions, values };
}

/** To be looked for in what `lower()` makes of stored text, which on either engine is about ASCII alone. */
export function searchedText(search: string): string {
  return storedText(search).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
