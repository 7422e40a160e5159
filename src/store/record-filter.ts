// Filters of record lists as SQL conditions. Text is compared with functions, not patterns, so no character in it is
// special. Never reads the database.
import { findLabelForms } from '../model/idna.ts';
import type { NamePattern } from '../model/name-pattern.ts';
import type { RecordLimits } from '../model/rights.ts';
import type { OwnerKey } from '../model/record.ts';
import { encloseInQuotes } from '../model/txt-data.ts';
import { storedText } from './stored-data.ts';

/** All given conditions must hold. */
export interface RecordFilter {
  readonly type?: number | undefined;
  /** As returned by `parseRecordName`. */
  readonly owner?: OwnerKey | undefined;
  /** Compared with the data as shown, case-sensitively. Text without a leading quote also matches quoted data. */
  readonly data?: { readonly text: string; readonly match: 'exact' | 'prefix' | 'contains' } | undefined;
  /** Substring of the name or the data; ignores ASCII case, and U-labels match A-labels and the reverse. */
  readonly search?: string | undefined;
  /** Limits of the caller's rights, one of which the record must meet; absent: none. */
  readonly within?: readonly RecordLimits[] | undefined;
}

/** SQL dialect of an engine; `mark` is the placeholder of a parameter. */
export interface TextConditions {
  readonly mark: (index: number) => string;
  readonly contains: (column: string, mark: string) => string;
  readonly startsWith: (column: string, mark: string) => string;
  readonly endsWith: (column: string, mark: string) => string;
}

export interface SqlConditions {
  /** To be joined with AND. */
  readonly conditions: readonly string[];
  /** In the order of the parameters. */
  readonly values: readonly (string | number)[];
}

/** SQL expressions for the name that is searched: as shown, and as compared. */
export interface SearchedName {
  readonly name: string;
  readonly owner: string;
}

/** @param firstMark the number of the first parameter */
export function recordConditions(
  filter: RecordFilter,
  engine: TextConditions,
  firstMark: number,
  searched: SearchedName = { name: 'name', owner: 'owner' },
): SqlConditions {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (value: string | number): string => engine.mark(firstMark + values.push(value) - 1);
  const { type, owner, data, search, within } = filter;
  if (type !== undefined) conditions.push(`type = ${add(type)}`);
  if (owner !== undefined) conditions.push(`owner = ${add(owner)}`);
  if (data !== undefined) conditions.push(dataCondition(data, engine, add));
  if (search !== undefined) {
    const shown = [`lower(${searched.name})`, 'lower(data)'];
    conditions.push(searchCondition(search, engine, add, shown, searched.owner));
  }
  if (within !== undefined) conditions.push(withinCondition(within, engine, add));
  return { conditions, values };
}

function withinCondition(
  within: readonly RecordLimits[],
  engine: TextConditions,
  add: (value: string | number) => string,
): string {
  const places = within.map(({ names, types }) => {
    const ofType = types?.map((type) => `type = ${add(type)}`) ?? ['true'];
    const atName = names?.map((pattern) => nameCondition(pattern, engine, add)) ?? ['true'];
    return `((${ofType.join(' OR ')}) AND (${atName.join(' OR ')}))`;
  });
  return places.length === 0 ? 'false' : `(${places.join(' OR ')})`;
}

function nameCondition(
  { kind, owner }: NamePattern,
  { startsWith, endsWith }: TextConditions,
  add: (value: string) => string,
): string {
  if (kind === 'exact') return `owner = ${add(owner)}`;
  return kind === 'below' ? endsWith('owner', add(`.${owner}`)) : startsWith('owner', add(`${owner}.`));
}

/** @param firstMark the number of the first parameter */
export function domainConditions(search: string, engine: TextConditions, firstMark: number): SqlConditions {
  const values: string[] = [];
  const add = (value: string): string => engine.mark(firstMark + values.push(value) - 1);
  return {
    conditions: [searchCondition(search, engine, add, ['name'], 'name')],
    values,
  };
}

function dataCondition(
  { text, match }: NonNullable<RecordFilter['data']>,
  { contains, startsWith }: TextConditions,
  add: (value: string) => string,
): string {
  if (match === 'contains') return contains('data', add(storedText(text)));
  const compare = (mark: string): string => (match === 'exact' ? `data = ${mark}` : startsWith('data', mark));
  const places = spellings(text, match).map((spelling) => compare(add(storedText(spelling))));
  return `(${places.join(' OR ')})`;
}

/** TXT data is shown in quotes but may be sent without them (contract rule 25). */
function spellings(text: string, match: 'exact' | 'prefix'): readonly string[] {
  if (text.startsWith('"')) return [text];
  const quoted = encloseInQuotes(text);
  return [text, match === 'exact' ? quoted : quoted.slice(0, -1)];
}

/** @param owner holds A-labels however the name is shown */
function searchCondition(
  search: string,
  { contains }: TextConditions,
  add: (value: string) => string,
  shown: readonly string[],
  owner: string,
): string {
  const anywhere = (mark: string): string[] => shown.map((column) => contains(column, mark));
  const places = anywhere(add(searchedText(search)));
  const forms = findLabelForms(search);
  if (forms !== undefined) {
    const ascii = add(searchedText(forms.ascii));
    places.push(contains(owner, ascii), ...anywhere(ascii), ...anywhere(add(searchedText(forms.unicode))));
  }
  return `(${places.join(' OR ')})`;
}

/** Lower-cases like SQL's `lower()`, which changes only ASCII letters in both engines. */
function searchedText(search: string): string {
  return storedText(search).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
