// List cursors: opaque to clients, base64url of a direction, the mark of the list, and the key of the row where the last
// page ended. They name a row, not a position, so pages stay stable while rows come and go, whatever `per_page` is.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { LIST_MARK_CHARACTERS } from './list-mark.ts';

/** What a list is ordered by: record, account and key ids, domain names, both of these, a number, or two. */
export type ListKey = 'id' | 'name' | 'place' | 'number' | 'numbers';

export interface Cursor {
  readonly direction: 'after' | 'before';
  /** Not itself included; null: from the list's beginning, backwards from its end. */
  readonly key: string | null;
}

/** Longest name is 253 characters, plus an id of 36, a blank, the mark of 8 and the direction, in base64: 399. */
const maxCursorLength = 400;

const keyForms: Record<ListKey, RegExp> = {
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  name: /^[a-z0-9_.-]{1,253}$/,
  place: /^[a-z0-9_.-]{1,253} [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  number: /^[0-9]{1,15}$/,
  numbers: /^[0-9]{1,15}\.[0-9]{1,15}$/,
};

/**
 * @param mark `listMark` of the list
 * @param key undefined where there is no row to start from.
 */
export function formatCursor(direction: Cursor['direction'], mark: string, key: string | undefined): string {
  return toBase64Url((direction === 'after' ? '>' : '<') + mark + (key ?? ''));
}

/** Refused is also what another list gave. */
export function parseCursor(text: string, mark: string, listKey: ListKey): Parsed<Cursor> {
  const plain = text.length <= maxCursorLength ? fromBase64Url(text) : undefined;
  const direction = plain?.startsWith('>') ? 'after' : plain?.startsWith('<') ? 'before' : undefined;
  if (plain === undefined || direction === undefined || !plain.startsWith(mark, 1)) return badCursor;
  const key = plain.slice(1 + LIST_MARK_CHARACTERS);
  if (key === '') return parsed({ direction, key: null });
  return keyForms[listKey].test(key) ? parsed({ direction, key }) : badCursor;
}

const badCursor = malformed('cursor must be one that meta.links of this list gave for the same filter');

function toBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Only the one spelling that `toBase64Url` gives. */
function fromBase64Url(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return toBase64Url(plain) === text ? plain : undefined;
}
