// Parses the query parameters `per_page` and `cursor` of a list (contract rule 11).
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { parseCursor, type Cursor, type ListKey } from './cursor.ts';

/** The requested page; matches the store's `PageRequest`. */
export interface PageQuery {
  readonly direction: 'after' | 'before';
  /** Null: from the beginning of the list. */
  readonly key: string | null;
  readonly limit: number;
}

export type ParsedPageQuery =
  | { readonly ok: true; readonly value: PageQuery }
  | { readonly ok: false; readonly problem: string; readonly field: 'per_page' | 'cursor' };

export const DEFAULT_PAGE_SIZE = 100;
/** 500 records of ordinary size are about 60 kB and take less than a millisecond. */
export const MAX_PAGE_SIZE = 500;

/**
 * If a parameter is given twice, the first value counts.
 *
 * @param mark `listMark` of the list
 */
export function parsePageQuery(
  query: Readonly<Record<string, unknown>>,
  mark: string,
  listKey: ListKey,
): ParsedPageQuery {
  const limit = parsePageSize(firstText(query['per_page']));
  if (!limit.ok) return { ...limit, field: 'per_page' };
  const cursorText = firstText(query['cursor']) ?? '';
  const cursor = cursorText === '' ? parsed(firstPage) : parseCursor(cursorText, mark, listKey);
  if (!cursor.ok) return { ...cursor, field: 'cursor' };
  return { ok: true, value: { ...cursor.value, limit: limit.value } };
}

const firstPage: Cursor = { direction: 'after', key: null };

function parsePageSize(text: string | undefined): Parsed<number> {
  if (text === undefined) return parsed(DEFAULT_PAGE_SIZE);
  if (!/^[+-]?[0-9]+$/.test(text)) return malformed(`per_page must be an integer, not ${quoteText(text)}`);
  return parsed(Math.min(Math.max(Number(text), 1), MAX_PAGE_SIZE));
}

/** Returns the first value of a query parameter; undefined if it is absent. */
export function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
