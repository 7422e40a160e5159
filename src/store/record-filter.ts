// Which records a list shows, as conditions in SQL. Text is looked for with functions, not patterns: nothing in it has a
// meaning of its own. Never reads anything.
import type { OwnerKey } from '../model/record.ts';
import { encloseInQuotes } from '../model/txt-data.ts';
import { storedText } from './stored-data.ts';

/** All that is given must hold. */
export interface RecordFilter {
  readonly type?: number | undefined;
  /** As `parseRecordName` gives it. */
  readonly owner?: OwnerKey | undefined;
  /** Compared with the data as it is shown, letter by letter; what has no quote in front also with data in quotes. */
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
  if (data?.match === 'contains') add(storedText(data.text), (at) => contains('data', at));
  else if (data !== undefined) {
    const compare = (at: string): string =>
      data.match === 'exact' ? `data = ${at}` : startsWith('data', at);
    const texts = spellings(data.text, data.match).map(storedText);
    const marks = texts.map((_, at) => compare(mark(firstMark + values.length + at)));
    conditions.push(`(${marks.join(' OR ')})`);
    values.push(...texts);
  }
  if (search !== undefined) {
    add(
      searchedText(search),
      (at) => `(${contains(`lower(${name})`, at)} OR ${contains('lower(data)', at)})`,
    );
  }
  return { conditions, values };
}

/** TXT content is shown in quotes, and written with or without them (contract rule 25). */
function spellings(text: string, match: 'exact' | 'prefix'): readonly string[] {
  if (text.startsWith('"')) return [text];
  const quoted = encloseInQuotes(text);
  return [text, match === 'exact' ? quoted : quoted.slice(0, -1)];
}

/** To be looked for in what `lower()` makes of stored text, which on either engine is about ASCII alone. */
export function searchedText(search: string): string {
  return storedText(search).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
