// The query of a list: `per_page` and `cursor` (contract rule 11). Other members are nobody's business.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { parseCursor, type Cursor, type ListKey } from './cursor.ts';

/** A page asked for; the store's `PageRequest`. */
export interface PageQuery {
  readonly direction: 'after' | 'before';
  /** Null: from the list's beginning. */
  readonly key: string | null;
  readonly limit: number;
}

export type ParsedPageQuery =
  | { readonly ok: true; readonly value: PageQuery }
  | { readonly ok: false; readonly problem: string; readonly field: 'per_page' | 'cursor' };

export const defaultPageSize = 100;
/** 500 records of ordinary size are some 60 kB and under a millisecond. */
export const maxPageSize = 500;

/**
 * Given twice, a member's first value counts.
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
  if (text === undefined) return parsed(defaultPageSize);
  if (!/^[+-]?[0-9]+$/.test(text)) return malformed(`per_page must be an integer, not ${quoteText(text)}`);
  return parsed(Math.min(Math.max(Number(text), 1), maxPageSize));
}

/** Of a query's member: the text, or the first of several; undefined where there is none. */
export function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
